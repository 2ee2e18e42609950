import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from '../support/sync/tms-folder.ts';

/** Each test starts the program six to eight times. */
const testTimeoutMs = 90_000;

vi.setConfig({ testTimeout: testTimeoutMs });
const service = sharedService();
let directory: TemporaryDirectory;
let clients: TeamClients;
let laptop: TmsFolder;

beforeEach(async () => {
  directory = await temporaryDirectory();
  clients = await newTeam(service());
  laptop = await open('laptop');
});

afterEach(() => directory.remove());

function open(name: string): Promise<TmsFolder> {
  const environment = { TMS_URL: service().url, TMS_TEAM: clients.slug, TMS_KEY: clients.teamKey };
  return tmsFolder(join(directory.path, name), environment);
}

async function succeeds(folder: TmsFolder, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await folder.run(...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** A copy of a folder as it is now, without what `tms` remembers: from a backup, or on a new laptop. */
async function copyOf(folder: TmsFolder): Promise<TmsFolder> {
  const copy = await open('copy');
  await cp(folder.path, copy.path, { recursive: true });
  await rm(join(copy.path, '.tms'), { recursive: true });
  return copy;
}

test('an old copy of a folder never undoes what the team has: it is updated', async () => {
  await laptop.write('plan.md', 'version 1\n');
  await succeeds(laptop, 'push', '.');
  const copy = await copyOf(laptop);
  await laptop.write('plan.md', 'version 2\n');
  await succeeds(laptop, 'push');
  await copy.run('push', '.');
  expect(await clients.team.rows()).toMatchObject([{ row_key: 'plan.md', content: 'version 2\n' }]);
  await succeeds(copy, 'sync');
  expect(await copy.files()).toEqual({ 'plan.md': 'version 2\n' });
  expect(await clients.team.rows()).toMatchObject([{ content: 'version 2\n' }]);
});

test('a copy that was edited is a conflict, and neither version is lost', async () => {
  await laptop.write('plan.md', 'version 1\n');
  await succeeds(laptop, 'push', '.');
  const copy = await copyOf(laptop);
  await copy.write('plan.md', 'version 1, edited\n');
  await laptop.write('plan.md', 'version 2\n');
  await succeeds(laptop, 'push');
  expect(await copy.run('sync', '.')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('tms resolve'),
  });
  const texts = Object.values(await copy.files());
  expect(texts.sort()).toEqual(['version 1, edited\n', 'version 2\n']);
  expect(await clients.team.rows()).toMatchObject([{ content: 'version 2\n' }]);
  await succeeds(copy, 'resolve', 'plan.md', '--theirs');
  await succeeds(copy, 'sync');
  expect(await copy.files()).toEqual({ 'plan.md': 'version 2\n' });
});

test('the bytes of every file come back, a private note stays and does not make the push fail', async () => {
  const files = {
    'numbers.md': '---\nver: 1.10\nzip: 01234 # a comment\n---\nA\n',
    'windows.md': '\ufeff---\r\ntitle:   "A"\r\n---\r\nA\r\nno line feed at the end',
    'projects/web/café.md': '# Café\n',
  };
  for (const [name, text] of Object.entries(files)) await laptop.write(name, text);
  await laptop.write('diary.md', '---\naudience: private\n---\nmarmalade\n');
  expect(await succeeds(laptop, 'push', '.')).toContain('1 private, kept here');
  const desktop = await open('desktop');
  await succeeds(desktop, 'pull', '.');
  expect(await desktop.files()).toEqual(files);
  expect(JSON.stringify(await clients.team.rows())).not.toContain('marmalade');
  expect(await succeeds(desktop, 'sync')).toBe('3 unchanged\n');
});
