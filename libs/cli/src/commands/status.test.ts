import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
  for (const name of ['kept', 'edited', 'gone', 'moved']) {
    await workspace.write(`here/${name}.md`, `# ${name}\n\none\ntwo\nthree\n`);
  }
  await workspace.runJson(0, 'sync', 'here');
});

afterEach(() => workspace.close());

async function change(): Promise<void> {
  await workspace.write('here/edited.md', '# edited\n\none\n2\nthree\n');
  await workspace.write('here/new.md', 'new\n');
  await workspace.write('here/diary.md', '---\naudience: private\n---\n');
  await rm(join(workspace.folder, 'here/gone.md'));
  await workspace.run('mv', 'here/moved.md', 'here/sub/moved.md');
}

/** No service behind this address. */
const offline = () => ({ ...workspace.env, TMS_URL: '' });

describe('tms status', () => {
  it('lists what changed here without any network, by names that can be typed where one stands', async () => {
    await change();
    const cwd = join(workspace.folder, 'here/sub');
    const { stdout, exitCode } = await runTms(['status'], { env: offline(), cwd });
    expect(exitCode).toBe(0);
    for (const text of [
      'new:      ../new.md',
      'changed:  ../edited.md',
      'removed:  ../gone.md',
      'renamed:  ../moved.md -> moved.md',
      'private:  ../diary.md',
      '1 unchanged',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(await workspace.runJson(0, 'status', 'here')).toMatchObject({
      team: 'demo',
      local: { added: ['new.md'], changed: ['edited.md'], removed: ['gone.md'], unchanged: 1 },
      remote: null,
    });
  });

  it('asks the service what changed there with --remote, and changes nothing', async () => {
    workspace.service.put({ row_key: 'theirs.md', content: 'x', checksum: 'sha256:t' });
    workspace.service.remove('gone.md');
    const { stdout } = await workspace.run('status', 'here', '--remote');
    expect(stdout).toMatch(
      /Changed on the service[\s\S]*new: +here\/theirs\.md[\s\S]*removed: +here\/gone\.md/,
    );
    expect(await workspace.list('here')).toEqual(['edited.md', 'gone.md', 'kept.md', 'moved.md']);
  });

  it('says that nothing changed', async () => {
    expect((await workspace.run('status', 'here')).stdout).toContain(
      'Nothing changed here, 4 files are in step',
    );
  });

  it('has colours where they are wanted', async () => {
    await change();
    const env = { ...workspace.env, FORCE_COLOR: '1' };
    const { stdout } = await runTms(['status', 'here'], { env, cwd: workspace.folder });
    expect(stdout).toContain('\u001b[32mnew:      here/new.md\u001b[39m');
  });
});

describe('tms diff', () => {
  it('shows lines that changed, of all files or of some', async () => {
    await change();
    const { stdout } = await workspace.run('diff', 'here/edited.md');
    expect(stdout).toBe(
      [
        '--- here/edited.md\tin step',
        '+++ here/edited.md\there',
        '@@ -1,5 +1,5 @@',
        ' # edited',
        ' ',
        ' one',
        '-two',
        '+2',
        ' three',
        '',
      ].join('\n'),
    );
    const { differences } = await workspace.runJson(0, 'diff', 'here');
    expect(differences).toMatchObject([
      { row_key: 'edited.md' },
      { row_key: 'gone.md', patch: expect.stringContaining('+++ /dev/null') },
      { row_key: 'new.md', patch: expect.stringContaining('--- /dev/null') },
      { row_key: 'sub/moved.md', from: 'moved.md' },
    ]);
    expect(await workspace.run('diff', 'here/kept.md')).toMatchObject({ exitCode: 0, stdout: '' });
    const typo = await workspace.run('diff', 'here/kpet.md');
    expect(typo).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('here/kpet.md') });
  });
});

describe('tms rm, mv and resolve', () => {
  it('remove and rename here at once, and for the team with the next run', async () => {
    expect(await workspace.runJson(0, 'rm', 'here/gone.md')).toEqual({ removed: ['gone.md'] });
    expect(await workspace.run('rm', '--keep', 'here/kept.md')).toMatchObject({ exitCode: 1 });
    await workspace.write('here/.tmsignore', 'kept.md\n');
    expect(await workspace.runJson(0, 'rm', '--keep', 'here/kept.md')).toEqual({ removed: ['kept.md'] });
    const renamed = [{ from: 'moved.md', to: 'sub/moved.md' }];
    expect(await workspace.runJson(0, 'mv', 'here/moved.md', 'here/sub/moved.md')).toEqual({ renamed });
    expect(await workspace.list('here')).toEqual(['.tmsignore', 'edited.md', 'kept.md', 'sub/moved.md']);
    const summary = await workspace.runJson(0, 'push', 'here', '--allow-removals');
    expect(summary).toMatchObject({ removed_there: ['gone.md', 'kept.md'], renamed });
    const names = workspace.service.rows().filter(({ deleted }) => !deleted);
    expect(names.map(({ row_key }) => row_key).sort()).toEqual(['edited.md', 'sub/moved.md']);
  });

  it('erase at once for the team with --erase, if it is confirmed, and files that turned private with push', async () => {
    expect(await workspace.run('rm', '--erase', 'here/gone.md')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await workspace.runJson(0, 'rm', '--erase', '--yes', 'here/gone.md')).toEqual({
      erased: ['gone.md'],
      rejected: [],
    });
    expect(workspace.service.versions('gone.md')).toHaveLength(1);
    await workspace.write('here/kept.md', '---\naudience: private\n---\nmine\n');
    const told = await workspace.run('push', 'here/kept.md');
    expect(told.stderr).toContain('tms rm --keep --erase here/kept.md');
    expect(workspace.service.row('kept.md')?.deleted).toBeUndefined();
    const summary = await workspace.runJson(0, 'push', '--erase-private', 'here/kept.md');
    expect(summary).toMatchObject({ erased: ['kept.md'], turned_private: [], private: ['kept.md'] });
    expect(workspace.service.versions('kept.md')).toHaveLength(1);
    expect(await workspace.read('here/kept.md')).toContain('mine');
    expect(await workspace.run('sync', 'here', '--watch', '--erase-private')).toMatchObject({ exitCode: 2 });
  });

  it('move a file into a folder that is there', async () => {
    await workspace.write('here/sub/x.md', 'x');
    const renamed = [{ from: 'moved.md', to: 'sub/moved.md' }];
    expect(await workspace.runJson(0, 'mv', 'here/moved.md', 'here/sub')).toEqual({ renamed });
  });

  it('refuse what is not there, what is outside, and a resolution without a conflict or a choice', async () => {
    expect(await workspace.run('rm', 'here/none.md')).toMatchObject({ exitCode: 1 });
    expect(await workspace.run('mv', 'here/kept.md', 'outside.md')).toMatchObject({ exitCode: 1 });
    expect(await workspace.run('resolve', 'here/kept.md', '--mine')).toMatchObject({ exitCode: 1 });
    for (const choice of [[], ['--mine', '--theirs']]) {
      expect(await workspace.run('resolve', 'here/kept.md', ...choice)).toMatchObject({ exitCode: 2 });
    }
    expect(await workspace.list('')).toHaveLength(4);
  });
});
