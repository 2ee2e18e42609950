import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFileSystem } from './file-system.ts';
import { takeLock } from './lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));
const take = () => takeLock(nodeFileSystem, folder);
const writeOwner = (owner: object) =>
  writeFile(join(folder, 'lock'), JSON.stringify({ id: 'other', host: hostname(), ...owner }));

it('of many that want the lock at once, one gets it, and the next after it was freed', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, take));
  const [winner, ...others] = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(others).toEqual([]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'locked' });
  }
  if (winner?.status === 'fulfilled') await winner.value.release();
  await (await take()).release();
});

it('the lock of a process that was killed is taken over, by one of those that want it', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  await once(child, 'spawn');
  await writeOwner({ pid: child.pid });
  await expect(take()).rejects.toMatchObject({ code: 'locked' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, take));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it.runIf(process.platform === 'linux')('a process id that is used again holds no lock', async () => {
  await writeOwner({ pid: process.pid, started: '1' });
  await expect(take()).resolves.toBeDefined();
});

it('a lock of another machine is not taken over, and one that was cut off is', async () => {
  await writeOwner({ pid: 1, host: 'another-machine' });
  await expect(take()).rejects.toMatchObject({ code: 'locked' });
  await writeFile(join(folder, 'lock'), '{"id":');
  await expect(take()).rejects.toMatchObject({ code: 'locked' });
  await utimes(join(folder, 'lock'), 1_000_000_000, 1_000_000_000);
  await expect(take()).resolves.toBeDefined();
});

it('who lost the lock notices, and does not free the new one', async () => {
  const lock = await take();
  await writeOwner({ pid: process.pid });
  await expect(lock.check()).rejects.toMatchObject({ code: 'lock_lost' });
  await lock.release();
  expect(await readFile(join(folder, 'lock'), 'utf8')).toContain('other');
});
