import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDirectory } from './lock-directory.ts';

let directory: TemporaryDirectory;
let other: ChildProcess | undefined;

beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(async () => {
  other?.kill('SIGKILL');
  await directory.remove();
});

/** Another process that takes the lock and keeps it until it is killed. */
async function lockElsewhere(): Promise<ChildProcess> {
  const program = `
    import { lockDirectory } from ${JSON.stringify(join(import.meta.dirname, 'lock-directory.ts'))};
    lockDirectory(${JSON.stringify(directory.path)});
    console.log('locked');
    setInterval(() => globalThis.gc(), 20);
  `;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a second process is refused in one clear sentence, and let in after kill -9 of the first', async () => {
  other = await lockElsewhere();
  expect(() => lockDirectory(directory.path)).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      message: `The data directory ${directory.path} is in use by another process.`,
    }),
  );
  const exited = once(other, 'exit');
  other.kill('SIGKILL');
  await exited;
  lockDirectory(directory.path).release();
});

test('a lock that was released can be taken again', () => {
  lockDirectory(directory.path).release();
  const lock = lockDirectory(directory.path);
  expect(() => lockDirectory(directory.path)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  lock.release();
});

test('a directory that is not there is said to be unusable, and not made', async () => {
  const missing = join(directory.path, 'missing');
  expect(() => lockDirectory(missing)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: `The data directory ${missing} cannot be written.`,
    }),
  );
  expect(await readdir(directory.path)).toEqual([]);
});

test('a directory in which the lock cannot be made is said to be unusable', async () => {
  // Not by its mode: that would stop everyone but root, as whom tests often run.
  await mkdir(join(directory.path, 'lock'));
  expect(() => lockDirectory(directory.path)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
