import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

/** Runs in a folder of the workspace, as somebody who stands there. */
async function runIn(folder: string, ...args: string[]) {
  return runTms(args, { env: workspace.env, cwd: join(workspace.folder, folder) });
}

describe('tms sync, push and pull', () => {
  it('bring files, edits and removals from one folder to the other', async () => {
    for (const name of ['a', 'b', 'c']) await workspace.write(`here/${name}.md`, name);
    expect(await workspace.runJson(0, 'sync', 'here')).toMatchObject({ pushed: ['a.md', 'b.md', 'c.md'] });
    expect(await workspace.runJson(0, 'pull', 'there')).toMatchObject({ written: ['a.md', 'b.md', 'c.md'] });
    await workspace.write('there/a.md', 'edited');
    await rm(join(workspace.folder, 'there/b.md'));
    const there = await workspace.runJson(0, 'push', 'there');
    expect(there).toMatchObject({ pushed: ['a.md'], removed_there: ['b.md'] });
    const here = await workspace.runJson(0, 'sync', 'here');
    expect(here).toMatchObject({ written: ['a.md'], removed_here: ['b.md'], unchanged: 1 });
    expect(await workspace.list('here')).toEqual(['a.md', 'c.md']);
    expect(await workspace.read('here/a.md')).toBe('edited');
    expect(await workspace.runJson(0, 'sync', 'here')).toMatchObject({ pushed: [], written: [] });
  });

  it('keep what the team has when an old copy of the folder is synced', async () => {
    await workspace.write('here/plan.md', 'version 1');
    await workspace.runJson(0, 'push', 'here');
    await cp(join(workspace.folder, 'here'), join(workspace.folder, 'copy'), { recursive: true });
    await rm(join(workspace.folder, 'copy/.tms'), { recursive: true });
    await workspace.write('here/plan.md', 'version 2');
    await workspace.runJson(0, 'push', 'here');
    await workspace.runJson(0, 'push', 'copy');
    expect(workspace.service.row('plan.md')).toMatchObject({ content: 'version 2' });
    expect(await workspace.runJson(0, 'sync', 'copy')).toMatchObject({ conflicts: [], pushed: [] });
    expect(await workspace.read('copy/plan.md')).toBe('version 2');
    expect(workspace.service.row('plan.md')).toMatchObject({ content: 'version 2' });
  });

  it('give a file the same row_key wherever one stands', async () => {
    await workspace.write('here/projects/web/plan.md', 'plan');
    await runIn('', 'init', 'here');
    const places: [string, string][] = [
      ['', 'here'],
      ['', 'here/projects/web/plan.md'],
      ['here', '.'],
      ['here/projects', 'web'],
      ['here/projects/web', 'plan.md'],
      ['', join(workspace.folder, 'here/projects')],
    ];
    for (const [index, [folder, path]] of places.entries()) {
      await workspace.write('here/projects/web/plan.md', `plan ${index}`);
      expect(await runIn(folder, 'push', path, '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(workspace.service.rows()).toMatchObject([
        { row_key: 'projects/web/plan.md', content: `plan ${index}` },
      ]);
    }
    await workspace.write('here/projects/web/plan.md', 'from below');
    expect(await runIn('here/projects/web', 'sync')).toMatchObject({ exitCode: 0 });
    expect(workspace.service.rows()).toMatchObject([
      { row_key: 'projects/web/plan.md', content: 'from below' },
    ]);
  });

  it('give a file the same row_key also behind a link to its folder, and none to a link itself', async () => {
    await workspace.write('here/web/plan.md', 'plan');
    await workspace.write('outside.md', 'outside');
    await runIn('', 'init', 'here');
    await symlink(join(workspace.folder, 'here'), join(workspace.folder, 'link'));
    await symlink(join(workspace.folder, 'outside.md'), join(workspace.folder, 'here/web/link.md'));
    expect(await workspace.runJson(0, 'push', 'link/web/plan.md')).toMatchObject({ pushed: ['web/plan.md'] });
    await workspace.write('here/web/plan.md', 'plan 2');
    expect(await workspace.runJson(0, 'sync', 'link')).toMatchObject({ pushed: ['web/plan.md'] });
    expect(workspace.service.rows().map(({ row_key }) => row_key)).toEqual(['web/plan.md']);
  });

  const styles = {
    'no front matter': '# A\n\ntext without a line feed',
    'numbers that YAML would change': '---\nver: 1.10\nzip: 01234\n---\nA\n',
    'comments and odd spaces': '---\n# a comment\ntitle:   "A"  # why\ntags: [ "x",y ]\n---\nA\n',
    'Windows line ends': '---\r\ntitle: A\r\n---\r\nA\r\n',
    'a byte order mark': '\ufeff---\ntitle: A\n---\nA\n',
    'an empty block': '---\n---\nA\n',
    'a text that begins with a rule': '---\n\nA\n',
  };
  it.for(Object.entries(styles))('give a file with %s back to the byte', async ([, text]) => {
    await workspace.write('here/a.md', text);
    await workspace.runJson(0, 'push', 'here');
    await workspace.runJson(0, 'pull', 'there');
    expect(await workspace.read('there/a.md')).toBe(text);
    expect(await workspace.runJson(0, 'sync', 'there')).toMatchObject({ pushed: [], written: [] });
  });

  it('name a file that cannot be pushed once, count it then, and fail with --strict or if it was named', async () => {
    await workspace.run('init', 'here');
    await workspace.write('here/fine.md', 'fine');
    await workspace.write('here/broken.md', '---\ntitle: One\ntitle: Two\n---\n');
    const first = await workspace.run('sync', 'here');
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 pushed, 1 skipped') });
    expect(first.stderr).toMatch(/^tms: here\/broken\.md cannot be pushed: .* at line 3, .*\n$/);
    const again = 'tms: 1 file cannot be pushed, as told before; tms status lists them\n';
    expect(await workspace.run('sync', 'here')).toMatchObject({ exitCode: 0, stderr: again });
    expect(await workspace.run('sync', 'here', '--strict')).toMatchObject({ exitCode: 1, stderr: again });
    expect(await workspace.run('push', 'here/broken.md')).toMatchObject({ exitCode: 1 });
    expect((await workspace.run('status', 'here')).stdout).toContain('line 3');
    await workspace.write('here/broken.md', '---\ntitle: [\n---\n');
    expect((await workspace.run('sync', 'here')).stderr).toContain('here/broken.md cannot be pushed: ');
  });

  it('keep private notes here, count them, and succeed', async () => {
    await workspace.write('here/open.md', 'A');
    await workspace.write('here/diary.md', '---\naudience: private\n---\nsecret');
    expect(await workspace.runJson(0, 'push', 'here')).toMatchObject({
      pushed: ['open.md'],
      private: ['diary.md'],
    });
    expect(JSON.stringify(workspace.service.batches)).not.toContain('secret');
    const again = await workspace.run('sync', 'here');
    expect(again).toMatchObject({ exitCode: 0, stdout: '1 private, kept here, 1 unchanged\n', stderr: '' });
  });

  it('list what went where, and nothing with --quiet', async () => {
    await workspace.write('here/a.md', 'A');
    const outcome = await workspace.run('sync', 'here');
    expect(outcome.stdout).toBe('pushed         here/a.md\n1 pushed, 0 unchanged\n');
    expect(outcome.stderr).toMatch(
      /^tms: .*\/here is now a folder of team demo at http:.*, as tms init makes it\n$/,
    );
    await workspace.write('here/a.md', 'B');
    expect(await workspace.run('sync', 'here', '-q')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('change nothing with --dry-run, and say what they would do', async () => {
    await workspace.write('here/a.md', 'A');
    await workspace.run('init', 'here');
    const outcome = await workspace.run('sync', 'here', '--dry-run');
    expect(outcome).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^push +here\/a\.md\nNothing was changed/),
    });
    expect(workspace.service.rows()).toEqual([]);
    await workspace.write('new/a.md', 'A');
    expect(await workspace.run('sync', 'new', '--dry-run')).toMatchObject({ exitCode: 2 });
    expect(await workspace.runJson(0, 'sync', 'here', '-n')).toMatchObject({
      dry_run: true,
      pending: [{ kind: 'push', row_key: 'a.md' }],
    });
  });

  it('lay the other version beside a file that was edited on both sides, and fail until that is resolved', async () => {
    await workspace.write('here/a.md', 'one\n');
    await workspace.runJson(0, 'sync', 'here');
    await workspace.runJson(0, 'sync', 'there');
    await workspace.write('here/a.md', 'mine\n');
    await workspace.write('there/a.md', 'theirs\n');
    await workspace.runJson(0, 'sync', 'there');
    const outcome = await workspace.run('sync', 'here');
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toMatch(
      /here\/a\.md was edited on both sides; .*tms resolve here\/a\.md --mine, --theirs or --merged/,
    );
    expect(await workspace.read('here/a.md')).toBe('mine\n');
    const [copy = ''] = (await workspace.list('here')).filter((name) => name.includes('.conflict-'));
    expect(await workspace.read(`here/${copy}`)).toBe('theirs\n');
    for (const command of ['push', 'pull', 'sync', 'status']) {
      expect((await workspace.run(command, 'here')).exitCode).toBe(1);
    }
    expect(workspace.service.rows()).toHaveLength(1);
    expect(await runIn('here', 'resolve', 'a.md', '--mine')).toMatchObject({ exitCode: 0 });
    expect(await workspace.runJson(0, 'sync', 'here')).toMatchObject({ pushed: ['a.md'], conflicts: [] });
    expect(workspace.service.row('a.md')).toMatchObject({ content: 'mine\n' });
    expect(await workspace.list('here')).toEqual(['a.md']);
  });

  it('wait out a refusal for as long as it says, and tell so', async () => {
    await workspace.write('here/a.md', 'A');
    workspace.service.intercept('/api/v1/items', (first) => {
      workspace.service.intercept('/api/v1/items', (response) =>
        sendJson(response, 429, { code: 'rate_limited', detail: 'Too many.' }, { 'retry-after': '2' }),
      );
      sendJson(first, 200, { items: [], next_cursor: 'c0', has_more: false });
    });
    const outcome = await workspace.run('push', 'here');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stderr).toContain('the write limit of the key is reached, continuing in 2 s');
    expect(workspace.service.row('a.md')).toMatchObject({ content: 'A' });
  });

  it('refuse a folder of another team than flags or environment name', async () => {
    await workspace.write('here/a.md', 'A');
    await workspace.run('init', 'here');
    for (const args of [
      ['--team', 'lakes'],
      ['--url', 'http://127.0.0.1:1'],
    ]) {
      const outcome = await workspace.run('sync', 'here', ...args);
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('belongs to team demo') });
    }
    expect(workspace.service.batches).toEqual([]);
  });

  it('send no key to a service that only a folder names', async () => {
    await mkdir(join(workspace.folder, 'evil/.tms'), { recursive: true });
    const settings = { version: 1, url: 'http://127.0.0.1:1', team: 'demo' };
    await writeFile(join(workspace.folder, 'evil/.tms/settings.json'), JSON.stringify(settings));
    const { TMS_URL: _, ...env } = workspace.env;
    const outcome = await runTms(['sync', 'evil'], { env, cwd: workspace.folder });
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('never used') });
  });

  it('need a folder: a file outside of one is told to make it, and nothing is made of the working directory', async () => {
    await workspace.write('a.md', 'A');
    for (const args of [
      ['push', 'a.md'],
      ['push'],
      ['sync'],
      ['pull'],
      ['status'],
      ['diff'],
      ['rm', 'a.md'],
    ]) {
      expect(await workspace.run(...args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('tms init'),
      });
    }
    expect(await workspace.list('')).toEqual(['a.md']);
  });

  const hostile = [
    '../escaped.md',
    'a/../../escaped.md',
    '/tmp/escaped.md',
    'a//b.md',
    './a.md',
    '.tms/state.md',
    '.TMS/state.md',
    '.git/hooks/a.md',
    'NODE_MODULES/a.md',
    'Makefile',
    'a\\..\\b.md',
    'a\u0000.md',
    'a\u001b[2J.md',
    'e\u0301.md',
    `${'x'.repeat(256)}.md`,
    'link/a.md',
    'link.md',
    'folder.md',
    'file.md/a.md',
  ];
  it.for(hostile.map((rowKey) => [rowKey.slice(0, 20), rowKey]))(
    'write nothing for the row_key %j',
    async ([, rowKey = '']) => {
      await mkdir(join(workspace.folder, 'outside'));
      await workspace.write('there/file.md', 'mine');
      await mkdir(join(workspace.folder, 'there/folder.md'));
      await symlink(join(workspace.folder, 'outside'), join(workspace.folder, 'there/link'));
      await symlink(join(workspace.folder, 'outside/new.md'), join(workspace.folder, 'there/link.md'));
      workspace.service.put({ row_key: rowKey, content: 'evil', checksum: 'sha256:e' });
      const outcome = await workspace.run('pull', 'there');
      expect(outcome.stderr + outcome.stdout).not.toContain('\u001b');
      expect(await workspace.list('')).toEqual(['there/file.md']);
    },
  );
});

describe('tms pull of files that tools obey', () => {
  const put = (tier: string, row_key: string, content = 'obey') =>
    workspace.service.put({ row_key, content, checksum: `sha256:${row_key}${content}`, tier });

  it('leaves out what a guest may have written, says so at every pull, and takes it when it is told to', async () => {
    for (const name of ['AGENTS.md', 'skills/x/SKILL.md', 'note.md']) put('external', name);
    await workspace.runJson(0, 'pull', 'there');
    expect(await workspace.list('there')).toEqual(['note.md']);
    const again = await workspace.run('pull', 'there');
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toMatch(
      /not written.*--allow-instructions.*AGENTS\.md, there\/skills\/x\/SKILL\.md/,
    );
    const taken = await workspace.runJson(0, 'pull', 'there', '--allow-instructions');
    expect(taken).toMatchObject({ instructions: ['AGENTS.md', 'skills/x/SKILL.md'] });
    expect(await workspace.read('there/AGENTS.md')).toBe('obey');
  });

  it('writes what a member wrote, and names it', async () => {
    put('team', 'CLAUDE.md', 'ours');
    const { stderr, exitCode } = await workspace.run('pull', 'there');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('CLAUDE.md') });
    expect(await workspace.read('there/CLAUDE.md')).toBe('ours');
  });
});
