import { once } from 'node:events';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyFromGuide, type SyncedFolder, syncedFolder } from './support/feed/synced-folder.ts';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { type RefusingProxy, refusingProxy } from './support/proxies/refusing-proxy.ts';
import { runToEnd } from './support/service/run-program.ts';
import { sharedService } from './support/service/shared-service.ts';

// The programs of docs/client-guide.md, as a reader copies them.

let directory: TemporaryDirectory;
let clients: TeamClients;

beforeEach(async () => {
  directory = await temporaryDirectory();
  for (const name of ['sync.mjs', 'ask.mjs']) await copyFromGuide(name, directory.path);
});

afterEach(async () => {
  await directory.remove();
});

/** What a program of the guide finds in its environment. */
function environmentFor(url: string, key: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', TMS_URL: url, TMS_TEAM: clients.slug, TMS_KEY: key };
}

const openFolder = (name: string, environment: Record<string, string>) =>
  syncedFolder(directory.path, name, environment);

/** Syncs folders one after the other; none has anything to complain about. */
async function syncAll(...folders: SyncedFolder[]): Promise<void> {
  for (const { sync } of folders) expect(await sync()).toEqual({ code: 0, stdout: '', stderr: '' });
}

describe('the sync loop of the client guide', () => {
  const service = sharedService();
  let laptop: SyncedFolder;
  let desktop: SyncedFolder;

  beforeEach(async () => {
    clients = await newTeam(service());
    const environment = environmentFor(service().url, clients.teamKey);
    laptop = await openFolder('laptop', environment);
    desktop = await openFolder('desktop', environment);
  });

  test('brings new files, edits and deletions of one folder to the other', async () => {
    await laptop.write('plan.md', '# Plan\n');
    await laptop.write('notes/café/deep.md', '# Deep\n');
    await syncAll(laptop, desktop);
    expect(await desktop.files()).toEqual({ 'plan.md': '# Plan\n', 'notes/café/deep.md': '# Deep\n' });
    await desktop.write('plan.md', '# Plan\n\nOn Tuesday.\n');
    await desktop.remove('notes/café/deep.md');
    await syncAll(desktop, laptop);
    expect(await laptop.files()).toEqual({ 'plan.md': '# Plan\n\nOn Tuesday.\n' });
  });

  test('writes nothing while nothing changes, also without its state file', async () => {
    await laptop.write('plan.md', '# Plan\n');
    await syncAll(laptop);
    const rows = await clients.team.rows();
    await syncAll(laptop);
    await laptop.remove('.sync-state.json');
    await syncAll(laptop);
    expect(await clients.team.rows()).toEqual(rows);
    expect(await laptop.files()).toEqual({ 'plan.md': '# Plan\n' });
  });

  test('keeps both versions of a file that was edited on both sides until they are merged', async () => {
    await laptop.write('plan.md', 'first\n');
    await syncAll(laptop, desktop);
    await laptop.write('plan.md', 'of the laptop\n');
    await desktop.write('plan.md', 'of the desktop\n');
    await syncAll(laptop);
    const conflict = { 'plan.md': 'of the desktop\n', 'plan.remote.md': 'of the laptop\n' };
    for (const _ of ['found', 'still there']) {
      expect(await desktop.sync()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('plan.remote.md'),
      });
      expect(await desktop.files()).toEqual(conflict);
    }
    expect(await clients.team.rows()).toMatchObject([{ content: 'of the laptop\n' }]);
    await desktop.write('plan.md', 'of both\n');
    await desktop.remove('plan.remote.md');
    await syncAll(desktop, laptop);
    expect(await laptop.files()).toEqual({ 'plan.md': 'of both\n' });
  });

  test('lets an edit win over a deletion, on either side', async () => {
    await laptop.write('a.md', 'a\n');
    await laptop.write('b.md', 'b\n');
    await syncAll(laptop, desktop);
    await laptop.write('a.md', 'a, edited\n');
    await laptop.remove('b.md');
    await desktop.remove('a.md');
    await desktop.write('b.md', 'b, edited\n');
    await syncAll(laptop, desktop, laptop);
    const both = { 'a.md': 'a, edited\n', 'b.md': 'b, edited\n' };
    expect([await laptop.files(), await desktop.files()]).toEqual([both, both]);
  });

  test('gives an external key what is external, and takes back what no longer is', async () => {
    const environment = environmentFor(service().url, clients.externalKey);
    const guest = await openFolder('guest', { ...environment, TMS_TIER: 'external' });
    await clients.team.push(item('inside.md', 'in\n'), item('open.md', 'open\n', { tier: 'external' }));
    await guest.write('question.md', 'When?\n');
    await syncAll(guest, desktop);
    expect(Object.keys(await guest.files()).sort()).toEqual(['open.md', 'question.md']);
    expect(Object.keys(await desktop.files()).sort()).toEqual(['inside.md', 'open.md', 'question.md']);
    await desktop.write('question.md', 'When?\n\nAt ten.\n');
    await clients.team.push(item('open.md', 'open\n'));
    await syncAll(desktop, guest);
    expect(await guest.files()).toEqual({ 'question.md': 'When?\n\nAt ten.\n' });
  });

  test('gives front matter back as it came, and pushes nothing that it cannot read', async () => {
    const frontmatter = { title: 'Plan', tags: ['a'] };
    await clients.team.push(
      item('plan.md', 'first\n', { frontmatter, checksum: item('', 'other').checksum }),
    );
    await syncAll(laptop);
    await laptop.write('plan.md', 'second\n');
    await syncAll(laptop);
    expect(await clients.team.rows()).toMatchObject([{ content: 'second\n', frontmatter }]);
    await laptop.write('secret.md', '---\naudience: private\n---\nmarmalade\n');
    await laptop.write('bytes.md', new Uint8Array([0xff, 0xfe]));
    expect((await laptop.sync()).code).toBe(1);
    expect(await clients.team.rows()).toHaveLength(1);
  });

  test('writes no row_key outside the folder, behind a link, or where tools would run it', async () => {
    await symlink(directory.path, join(desktop.path, 'link'));
    const keys = ['link/out.md', '.git/hooks.md', '.hidden.md', 'node_modules/a.md', 'run.sh', 'a.remote.md'];
    await clients.team.push(...[...keys, `${'ü'.repeat(125)}.md`, 'good.md'].map((key) => item(key, 'x\n')));
    const { code, stderr } = await desktop.sync();
    expect(code).toBe(1);
    for (const key of keys) expect(stderr).toContain(`${key}: not written`);
    await desktop.remove('link');
    expect(await desktop.files()).toEqual({ 'good.md': 'x\n' });
    expect((await readdir(directory.path)).sort()).toEqual(['ask.mjs', 'desktop', 'laptop', 'sync.mjs']);
    expect(await clients.team.rows()).toHaveLength(keys.length + 2);
  });

  test('ask.mjs prints the answer and its sources, and fails with the reason it was refused for', async () => {
    await clients.team.push(item('deploying.md', '# Deploying\n\nWe deploy every Tuesday at ten.\n'));
    const ask = (key: string) =>
      runToEnd(
        process.execPath,
        [join(directory.path, 'ask.mjs'), 'When do we deploy?'],
        environmentFor(service().url, key),
      );
    expect(await ask(clients.teamKey)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Tuesday at ten\. \[1\]\s+\[1\] deploying\.md\n$/),
    });
    expect(await ask('tms_x')).toMatchObject({ code: 1, stderr: expect.stringContaining('(invalid_key)') });
  });
});

describe('the sync loop of the client guide, within a limit of five writes a minute', () => {
  const service = sharedService({ environment: { ITEM_WRITES_PER_MINUTE: '5' } });
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `${letter}.md`);
  let front: RefusingProxy;

  beforeEach(async () => {
    clients = await newTeam(service());
    front = await refusingProxy(service().url);
  });

  afterEach(() => front.close());

  test('splits a batch that can never fit, waits for the rest, and after its death goes on with that', async () => {
    const folder = await openFolder('laptop', environmentFor(front.url, clients.teamKey));
    for (const name of names) await folder.write(name, `# ${name}\n`);
    const child = folder.start();
    await eventually('it waits', () => String(child.stderr?.read() ?? '').includes('Going on in'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = await clients.team.rows();
    front.pushed.length = 0;
    const again = await openFolder('laptop', environmentFor(front.url, await clients.newKey('team')));
    await syncAll(again);
    const stored = before.map(({ row_key }) => row_key);
    expect(stored).toHaveLength(3);
    expect(front.pushed.flat().sort()).toEqual(names.filter((name) => !stored.includes(name)));
    expect(await clients.team.rows()).toHaveLength(names.length);
  });

  test('sends a request again after the time that a 429 or a 503 names', async () => {
    const folder = await openFolder('laptop', environmentFor(front.url, clients.teamKey));
    await folder.write('a.md', '# A\n');
    for (const status of [429, 503]) front.refusals.push({ status, 'retry-after': '1' });
    expect(await folder.sync()).toMatchObject({ code: 0, stderr: 'Not now. Going on in 1 s.\n'.repeat(2) });
    expect(await clients.team.rows()).toHaveLength(1);
  });
});
