import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

/** Two clients: `here` pushes, `there` pulls. */
async function share(file: string, text: string): Promise<void> {
  await workspace.write(`here/${file}`, text);
  await workspace.runJson(0, 'push', 'here');
  await workspace.runJson(0, 'pull', 'there');
}

describe('tms pull', () => {
  it('writes what was pushed, goes on from its cursor and calls the rest unchanged', async () => {
    for (const name of ['a', 'b', 'c']) await workspace.write(`here/${name}.md`, name);
    await workspace.run('push', 'here');
    const empty = { removed: 0, unchanged: 0, conflicts: [] };
    expect(await workspace.runJson(0, 'pull', 'there')).toEqual({ ...empty, written: 3, cursor: 'c3' });
    expect(await workspace.runJson(0, 'pull', 'there')).toEqual({ ...empty, written: 0, cursor: 'c3' });
    expect(await workspace.runJson(0, 'pull', 'here')).toMatchObject({ written: 0, unchanged: 3 });
    expect(await workspace.list('there')).toEqual(['a.md', 'b.md', 'c.md']);
  });

  const styles = {
    'no front matter': '# A\n\ntext without a line feed',
    'plain front matter': '---\ntitle: Plan\naudience: client\ndate: 2026-11-21\n---\n\n# Plan\n',
    'quoted text and flow lists': '---\ntitle: "A: b"\ntags: ["x", "y"]\n---\nA\n',
    'a block list': '---\ntags:\n  - x\n  - y\n---\nA\n',
    'Windows line ends': '---\r\ntitle: A\r\n---\r\nA\r\n',
    'an empty block': '---\n---\nA\n',
    'a text that begins with a rule': '---\n\nA\n',
  };
  for (const [name, text] of Object.entries(styles)) {
    it(`gives a file with ${name} back to the byte`, async () => {
      await share('a.md', text);
      expect(await workspace.read('there/a.md')).toBe(text);
    });
  }

  it('makes the push of a pulled file a no-op, also where the style of its front matter was lost', async () => {
    await share('a.md', '---\n# a comment\ntitle:   "A"\nother: b\n---\nA\n');
    expect(await workspace.read('there/a.md')).toBe('---\ntitle: A\nother: b\n---\nA\n');
    expect(await workspace.runJson(0, 'push', 'there')).toMatchObject({ pushed: 0, unchanged: 1 });
    expect(await workspace.runJson(0, 'pull', 'here')).toMatchObject({ written: 0, unchanged: 1 });
  });

  it('keeps the tier of a file that was edited elsewhere', async () => {
    await workspace.write('here/a.md', 'A');
    await workspace.run('push', 'here', '--tier', 'external');
    await workspace.run('pull', 'there');
    await workspace.write('there/a.md', 'B');
    expect(await workspace.runJson(0, 'push', 'there')).toMatchObject({ pushed: 1 });
    expect(workspace.service.row('a.md')).toMatchObject({ content: 'B', tier: 'external' });
  });

  it('brings an edit into an untouched file', async () => {
    await share('a.md', 'A');
    await share('a.md', 'B');
    expect(await workspace.read('there/a.md')).toBe('B');
  });

  it('keeps a local edit, lays the other version beside it, and pushes only after both were merged', async () => {
    await share('a.md', 'A');
    await workspace.write('there/a.md', 'mine');
    await workspace.write('here/a.md', 'theirs');
    await workspace.run('push', 'here');
    const conflict = { row_key: 'a.md', code: 'conflict', file: 'a.remote.md' };
    expect(await workspace.runJson(1, 'pull', 'there')).toMatchObject({ written: 0, conflicts: [conflict] });
    expect(await workspace.read('there/a.md')).toBe('mine');
    expect(await workspace.read('there/a.remote.md')).toBe('theirs');

    expect(await workspace.runJson(1, 'push', 'there')).toMatchObject({
      pushed: 0,
      errors: [{ code: 'conflict' }],
    });
    await workspace.write('there/a.md', 'merged');
    await rm(join(workspace.folder, 'there/a.remote.md'));
    expect(await workspace.runJson(0, 'push', 'there')).toMatchObject({ pushed: 1, rejected: 0 });
    expect(workspace.service.row('a.md')).toMatchObject({ content: 'merged' });
    expect(workspace.service.row('a.remote.md')).toBeUndefined();
  });

  it('never overwrites a file that was there before the first pull', async () => {
    await workspace.write('there/a.md', 'mine');
    workspace.service.put({ row_key: 'a.md', content: 'theirs', checksum: 'sha256:t' });
    await workspace.runJson(1, 'pull', 'there');
    expect(await workspace.read('there/a.md')).toBe('mine');
  });

  it('removes what was removed, but not what was edited or never synced', async () => {
    for (const name of ['gone', 'edited']) await share(`${name}.md`, name);
    await workspace.write('there/edited.md', 'mine');
    await workspace.write('there/own.md', 'mine');
    for (const name of ['gone', 'edited', 'own']) workspace.service.remove(`${name}.md`);
    const result = await workspace.runJson(1, 'pull', 'there');
    expect(result).toMatchObject({ removed: 1, conflicts: [{ row_key: 'edited.md', code: 'removed' }] });
    expect(await workspace.list('there')).toEqual(['edited.md', 'own.md']);
  });

  it('starts over when its cursor is refused', async () => {
    await share('a.md', 'A');
    const state = await workspace.read('there/.tms/state.json');
    await workspace.write('there/.tms/state.json', state.replace('"c1"', '"of another key"'));
    expect(await workspace.runJson(0, 'pull', 'there')).toMatchObject({ unchanged: 1, cursor: 'c1' });
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
    `${'x'.repeat(250)}.md`,
    'link/a.md',
    'link.md',
    'folder.md',
    'file.md/a.md',
  ];
  for (const rowKey of hostile) {
    it(`writes nothing for the row_key ${JSON.stringify(rowKey.slice(0, 20))}`, async () => {
      await mkdir(join(workspace.folder, 'outside'));
      await workspace.write('there/file.md', 'mine');
      await mkdir(join(workspace.folder, 'there/folder.md'));
      await symlink(join(workspace.folder, 'outside'), join(workspace.folder, 'there/link'));
      await symlink(join(workspace.folder, 'outside/new.md'), join(workspace.folder, 'there/link.md'));
      workspace.service.put({ row_key: rowKey, content: 'evil', checksum: 'sha256:e' });
      const outcome = await workspace.run('pull', 'there');
      expect(outcome).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('conflicts 1') });
      expect(outcome.stderr).not.toContain('\u001b');
      expect(await workspace.list('')).toEqual(['there/file.md']);
    });
  }

  it('refuses to remember anything behind a link', async () => {
    await mkdir(join(workspace.folder, 'there'));
    await symlink(join(workspace.folder, 'elsewhere'), join(workspace.folder, 'there/.tms'));
    expect(await workspace.runJson(1, 'pull', 'there')).toMatchObject({ error: { code: 'bad_state' } });
  });
});

describe('tms pull of files that tools obey', () => {
  const guest = (row_key: string, content = 'obey') =>
    workspace.service.put({ row_key, content, checksum: `sha256:${row_key}${content}`, tier: 'external' });

  it('leaves out what a guest may have written, says so at every pull, and takes it when it is told to', async () => {
    for (const name of ['AGENTS.md', 'skills/x/SKILL.md', 'note.md']) guest(name);
    const skipped = ['AGENTS.md', 'skills/x/SKILL.md'];
    expect(await workspace.runJson(0, 'pull', 'there')).toMatchObject({ written: 1, conflicts: [], skipped });
    expect(await workspace.list('there')).toEqual(['note.md']);
    const again = await workspace.run('pull', 'there');
    expect(again.stdout).toContain('skipped 2');
    expect(again.stderr).toMatch(/not written.*AGENTS\.md, skills\/x\/SKILL\.md \(--allow-instructions/);
    const taken = await workspace.runJson(0, 'pull', 'there', '--allow-instructions');
    expect(taken).toMatchObject({ written: 2, unchanged: 1, instructions: skipped });
    expect(taken).not.toHaveProperty('skipped');
    expect(await workspace.read('there/AGENTS.md')).toBe('obey');
  });

  it('writes what a member wrote, and names it', async () => {
    workspace.service.put({ row_key: 'CLAUDE.md', content: 'ours', checksum: 'sha256:c', tier: 'team' });
    const { stderr, exitCode } = await workspace.run('pull', 'there');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('CLAUDE.md') });
    expect(await workspace.read('there/CLAUDE.md')).toBe('ours');
  });

  it("neither overwrites a member's own file nor lays a copy beside it, and a push still tells of the conflict", async () => {
    await workspace.write('there/AGENTS.md', 'mine');
    await workspace.run('push', 'there', '--tier', 'external');
    guest('AGENTS.md', 'theirs');
    expect(await workspace.runJson(0, 'pull', 'there')).toMatchObject({ written: 0, skipped: ['AGENTS.md'] });
    expect(await workspace.list('there')).toEqual(['AGENTS.md']);
    expect(await workspace.read('there/AGENTS.md')).toBe('mine');
    await workspace.write('there/AGENTS.md', 'mine, edited');
    expect(await workspace.runJson(1, 'push', 'there')).toMatchObject({ errors: [{ code: 'conflict' }] });
  });

  it('forgets what it skipped once that is removed', async () => {
    guest('AGENTS.md');
    await workspace.run('pull', 'there');
    workspace.service.remove('AGENTS.md');
    expect(await workspace.runJson(0, 'pull', 'there')).not.toHaveProperty('skipped');
  });
});
