import { ProblemError } from '@teammemory/client/problem-error.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { checksumOf } from './format/checksum.ts';
import { changed, type FileSystem } from './state/file-system.ts';
import { initWorkspace } from './state/workspace.ts';
import { createFakeService, type FakeService, lostAnswer } from './testing/fake-service.fixture.ts';
import { createReplica, type Replica } from './testing/replica.fixture.ts';

let service: FakeService;
let ada: Replica;
let bob: Replica;
beforeEach(async () => {
  service = createFakeService();
  ada = await createReplica(service, { member: 'ada' });
  bob = await createReplica(service, { member: 'bob', root: '/home/bob/team' });
});

const contents = (replica: Replica) =>
  Object.fromEntries(replica.files().map((rowKey) => [rowKey, replica.text(rowKey)]));
const many = (count: number) => Array.from({ length: count }, (_, number) => `n${number}.md`);

describe('what is in step', () => {
  it('new, changed, renamed and removed files arrive in another folder, with the bytes that were written', async () => {
    ada.write('a.md', 'a\n');
    ada.write('deep/er/b.markdown', '\ufeff---\r\nver: 1.10 # kept\r\nzip: 01234\r\n---\r\nb\r\n');
    ada.write('no-newline.md', '---\ntitle: x\n---');
    ada.write('left/out.txt', 'not a note');
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md', 'deep/er/b.markdown', 'no-newline.md'] });
    expect(await bob.sync()).toMatchObject({ written: ['a.md', 'deep/er/b.markdown', 'no-newline.md'] });
    expect(bob.text('deep/er/b.markdown')).toBe(ada.text('deep/er/b.markdown'));
    expect(bob.text('no-newline.md')).toBe('---\ntitle: x\n---');

    bob.write('a.md', 'a, longer\n');
    bob.move('deep/er/b.markdown', 'b.md');
    bob.drop('no-newline.md');
    expect(await bob.sync()).toMatchObject({
      pushed: ['a.md'],
      renamed: [{ from: 'deep/er/b.markdown', to: 'b.md' }],
      removed_there: ['no-newline.md'],
    });
    await ada.sync();
    expect(contents(ada)).toEqual({ ...contents(bob), 'left/out.txt': 'not a note' });
    const writes = service.writes();
    const idle = await ada.sync();
    expect(idle).toMatchObject({ pushed: [], written: [], merged: [], unchanged: 2 });
    expect(service.writes()).toBe(writes);
  });

  it('front matter of clients that push it as data is written once and does not come back as a change', async () => {
    service.put('a.md', 'body\n', { frontmatter: { tags: ['x'], when: '2026-11-21' } });
    expect(await ada.sync()).toMatchObject({ written: ['a.md'] });
    expect(ada.text('a.md')).toBe('---\ntags:\n  - x\nwhen: 2026-11-21\n---\nbody\n');
    expect(await ada.sync()).toMatchObject({ unchanged: 1, pushed: [] });
    expect(service.writes()).toBe(1);
    ada.write('a.md', `${ada.text('a.md')}more\n`);
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'] });
    expect(service.items().get('a.md')).toMatchObject({ content: 'body\nmore\n', updated_by: 'ada' });
  });

  it('names are in NFC on the service, whatever the disk has, and files keep their spelling', async () => {
    ada.write('cafe\u0301/e\u0301.md', 'one\n');
    await ada.sync();
    expect([...service.items().keys()]).toEqual(['caf\u00e9/\u00e9.md']);
    service.put('caf\u00e9/\u00e9.md', 'two\n');
    service.put('caf\u00e9/new.md', 'new\n');
    await ada.sync();
    expect(contents(ada)).toEqual({ 'cafe\u0301/e\u0301.md': 'two\n', 'cafe\u0301/new.md': 'new\n' });
  });

  it('a push whose answer was lost is in step with the next run', async () => {
    ada = await createReplica(service, {
      root: '/lost',
      after: (call) => {
        if (call === 'pushItems' && service.writes() === 1) throw lostAnswer();
      },
    });
    ada.write('a.md', 'a\n');
    await expect(ada.sync()).rejects.toThrow('lost');
    expect(await ada.sync()).toMatchObject({ adopted: 1, pushed: [], conflicts: [] });
    expect(service.writes()).toBe(1);
  });

  it('one direction only does its part and tells the rest', async () => {
    service.put('theirs.md', 'theirs\n');
    ada.write('mine.md', 'mine\n');
    const pushed = await ada.sync({ direction: 'push' });
    expect(pushed).toMatchObject({ pushed: ['mine.md'], written: [] });
    expect(pushed.pending).toEqual([{ kind: 'write', row_key: 'theirs.md' }]);
    ada.write('more.md', 'more\n');
    const pulled = await ada.sync({ direction: 'pull' });
    expect(pulled).toMatchObject({ pushed: [], written: ['theirs.md'] });
    expect(pulled.pending).toEqual([{ kind: 'push', row_key: 'more.md' }]);
  });

  it('a dry run changes nothing and tells everything', async () => {
    service.put('theirs.md', 'theirs\n');
    ada.write('mine.md', 'mine\n');
    const { pending } = await ada.sync({ dryRun: true });
    expect(pending.map(({ kind, row_key }) => `${kind} ${row_key}`)).toEqual([
      'push mine.md',
      'write theirs.md',
    ]);
    expect(ada.files()).toEqual(['mine.md']);
    expect(service.writes()).toBe(1);
  });
});

describe('without knowledge of what was in step', () => {
  it('an old copy of a folder neither undoes what the team wrote since nor is taken for an edit', async () => {
    ada.write('a.md', 'one\n');
    await ada.sync();
    const copy = await createReplica(service, { member: 'carl', root: '/copy' });
    copy.write('a.md', 'one\n');
    ada.write('a.md', 'two\n');
    await ada.sync();
    expect(await copy.sync()).toMatchObject({ written: ['a.md'], pushed: [], conflicts: [] });
    expect(copy.text('a.md')).toBe('two\n');
    expect(service.items().get('a.md')?.content).toBe('two\n');
  });

  it('a file that the team removed is removed from an old copy too, and does not come back', async () => {
    ada.write('a.md', 'one\n');
    ada.write('b.md', 'b\n');
    await ada.sync();
    ada.drop('a.md');
    await ada.sync();
    const copy = await createReplica(service, { root: '/copy' });
    copy.write('a.md', 'one\n');
    copy.write('b.md', 'b\n');
    expect(await copy.sync()).toMatchObject({ removed_here: ['a.md'], adopted: 1, pushed: [] });
  });

  it('other bytes are a conflict: the file stays, the other version lies beside it, and every run tells', async () => {
    service.put('a.md', 'theirs\n');
    ada.write('a.md', 'mine\n');
    const first = await ada.sync();
    const copy = 'a.conflict-eve-20261121T062700001Z.md';
    expect(first.conflicts).toEqual([{ row_key: 'a.md', kind: 'edited', copy, by: 'eve' }]);
    expect(contents(ada)).toEqual({ 'a.md': 'mine\n', [copy]: 'theirs\n' });
    ada.write('a.md', 'mine, again\n');
    expect(await ada.sync()).toMatchObject({ conflicts: first.conflicts, pushed: [] });
    ada.drop(copy);
    expect(await ada.sync()).toMatchObject({ conflicts: first.conflicts });
    expect(ada.text(copy)).toBe('theirs\n');
    expect(service.writes()).toBe(1);
    ada.write('a.md', 'theirs\n');
    expect(await ada.sync()).toMatchObject({ conflicts: [] });
    expect(ada.files()).toEqual(['a.md']);
  });

  it('a file of a removed name that is made again, after the removal was in step, is a new item', async () => {
    ada.write('a.md', 'one\n');
    await ada.sync();
    ada.drop('a.md');
    await ada.sync({ allowRemovals: true });
    ada.write('a.md', 'one\n');
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'] });
  });

  it('what the service lost is neither removed here nor pushed again by guess', async () => {
    ada.write('a.md', 'a\n');
    ada.write('b.md', 'b\n');
    await ada.sync();
    const other = createFakeService();
    const moved = await createReplica(other, { disk: ada.disk, root: ada.root });
    other.put('b.md', 'b\n');
    const { conflicts } = await moved.sync();
    expect(conflicts).toEqual([]);
    await moved.within(({ state }) => state.commit([['restart']]));
    expect(await moved.sync()).toMatchObject({
      conflicts: [{ row_key: 'a.md', kind: 'lost' }],
      removed_here: [],
    });
    expect(moved.text('a.md')).toBe('a\n');
  });
});

describe('edits on both sides', () => {
  const text = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n${last}\n`;

  beforeEach(async () => {
    ada.write('a.md', text('1', '7'));
    await ada.sync();
    await bob.sync();
  });

  it('of different lines are merged, and both folders end up the same', async () => {
    ada.write('a.md', text('ada', '7'));
    bob.write('a.md', text('1', 'bob'));
    await ada.sync();
    expect(await bob.sync()).toMatchObject({ merged: ['a.md'], pushed: ['a.md'], conflicts: [] });
    await ada.sync();
    expect(ada.text('a.md')).toBe(text('ada', 'bob'));
    expect(bob.text('a.md')).toBe(text('ada', 'bob'));
  });

  it('of the same lines are a conflict', async () => {
    ada.write('a.md', text('ada', '7'));
    bob.write('a.md', text('bob', '7'));
    await ada.sync();
    expect(await bob.sync()).toMatchObject({ merged: [], conflicts: [{ row_key: 'a.md', by: 'ada' }] });
    expect(bob.text('a.md')).toBe(text('bob', '7'));
    expect(service.items().get('a.md')?.updated_by).toBe('ada');
  });

  it('the same edit is in step', async () => {
    ada.write('a.md', text('x', '7'));
    bob.write('a.md', text('x', '7'));
    await ada.sync();
    expect(await bob.sync()).toMatchObject({ merged: [], pushed: [], conflicts: [] });
  });

  it('an edit wins over a removal, whichever side removed, and that is told', async () => {
    ada.drop('a.md');
    bob.write('a.md', text('bob', '7'));
    await ada.sync({ allowRemovals: true });
    expect(await bob.sync()).toMatchObject({ pushed: ['a.md'], kept: [{ row_key: 'a.md' }] });
    await ada.sync();
    expect(ada.text('a.md')).toBe(text('bob', '7'));

    bob.drop('a.md');
    ada.write('a.md', text('ada', '7'));
    await ada.sync();
    expect(await bob.sync({ allowRemovals: true })).toMatchObject({
      written: ['a.md'],
      kept: [{ row_key: 'a.md' }],
      removed_there: [],
    });
  });

  it('an edit follows a rename that others made', async () => {
    ada.move('a.md', 'moved/a.md');
    await ada.sync();
    bob.write('a.md', text('1', 'bob'));
    expect(await bob.sync()).toMatchObject({
      renamed: [{ from: 'a.md', to: 'moved/a.md' }],
      pushed: ['moved/a.md'],
    });
    expect(bob.files()).toEqual(['moved/a.md']);
    await ada.sync();
    expect(contents(ada)).toEqual({ 'moved/a.md': text('1', 'bob') });
  });

  it('a push that others overtook is merged and sent again', async () => {
    let isFirst = true;
    const slow = await createReplica(service, {
      root: '/slow',
      before: async (call) => {
        if (call !== 'pushItems' || !isFirst) return;
        isFirst = false;
        ada.write('a.md', text('ada', '7'));
        await ada.sync();
      },
    });
    await slow.sync();
    slow.write('a.md', text('1', 'slow'));
    expect(await slow.sync()).toMatchObject({ merged: ['a.md'], pushed: ['a.md'], rejected: [] });
    expect(service.items().get('a.md')?.content).toBe(text('ada', 'slow'));
  });
});

describe('removals', () => {
  beforeEach(async () => {
    for (const name of many(12)) ada.write(name, `${name}\n`);
    await ada.sync();
    await bob.sync();
  });

  it('of more than a quarter of ten or more files stop the run, on either side, until they are allowed', async () => {
    for (const name of many(4)) ada.drop(name);
    await expect(ada.sync()).rejects.toMatchObject({ code: 'too_many_removals' });
    expect(service.items().size).toBe(12);
    expect(await ada.sync({ allowRemovals: true })).toMatchObject({ removed_there: many(4) });
    await expect(bob.sync()).rejects.toMatchObject({ code: 'too_many_removals' });
    expect(bob.files()).toHaveLength(12);
    expect(await bob.sync({ allowRemovals: true })).toMatchObject({ removed_here: many(4) });
  });

  it('of a quarter are carried', async () => {
    for (const name of many(3)) ada.drop(name);
    expect(await ada.sync()).toMatchObject({ removed_there: many(3) });
  });

  it('a folder that is renamed removes nothing', async () => {
    for (const name of many(12)) ada.move(name, `all/${name}`);
    expect((await ada.sync()).renamed).toHaveLength(12);
    expect((await bob.sync()).written).toHaveLength(12);
    expect(contents(bob)).toEqual(contents(ada));
  });

  it('a missing or an empty folder stops the run', async () => {
    for (const name of many(12)) ada.drop(name);
    await expect(ada.sync()).rejects.toMatchObject({ code: 'empty_root' });
    await expect(ada.sync({ direction: 'push' })).rejects.toMatchObject({ code: 'empty_root' });
    await bob.within(async () => bob.disk.drop(bob.root));
    await expect(bob.sync()).rejects.toMatchObject({ code: 'missing_root' });
    expect(service.items().size).toBe(12);
  });
});

describe('what stays here', () => {
  it('private notes never leave, in whatever way they say so', async () => {
    ada.write('a.md', '---\naudience: private\n---\nsecret\n');
    ada.write('b.md', '---\nAudience: [team, personal]\n---\nsecret\n');
    ada.write('c.md', 'open\n');
    expect(await ada.sync()).toMatchObject({ private: ['a.md', 'b.md'], pushed: ['c.md'], rejected: [] });
    expect([...service.items().keys()]).toEqual(['c.md']);
  });

  it('a file that turns private is told, and the team keeps its copy until it is removed by name', async () => {
    ada.write('a.md', 'open\n');
    await ada.sync();
    ada.write('a.md', '---\naudience: private\n---\nsecret\n');
    expect(await ada.sync()).toMatchObject({ turned_private: ['a.md'], pushed: [] });
    service.put('a.md', 'edited by others\n');
    expect(await ada.sync()).toMatchObject({ turned_private: ['a.md'], written: [], conflicts: [] });
    expect(ada.text('a.md')).toContain('secret');
  });

  it('hidden and ignored files are left out unless they are named; what is in step stays in step', async () => {
    ada.write('.gitignore', 'build/\n*.draft.md\n');
    ada.write('.tmsignore', '!keep.draft.md\n!.notes/\n');
    for (const name of [
      'build/a.md',
      'x.draft.md',
      'keep.draft.md',
      '.notes/n.md',
      '.other/o.md',
      '.tms/t.md',
    ]) {
      ada.write(name, `${name}\n`);
    }
    ada.write('node_modules/p/README.md', 'p\n');
    ada.write('sub/.gitignore', '/here.md\n');
    ada.write('sub/here.md', 'x\n');
    ada.write('sub/deeper/here.md', 'y\n');
    expect((await ada.sync()).pushed).toEqual(['.notes/n.md', 'keep.draft.md', 'sub/deeper/here.md']);
    expect((await ada.sync({ paths: ['.other/o.md'] })).pushed).toEqual(['.other/o.md']);
    ada.write('.gitignore', 'build/\n*.draft.md\nsub/\n');
    ada.write('.tmsignore', '');
    ada.write('keep.draft.md', 'edited\n');
    expect(await ada.sync()).toMatchObject({ pushed: ['keep.draft.md'], removed_there: [] });
  });

  it('an item that ignore rules leave out is not written', async () => {
    ada.write('.gitignore', 'build/\n');
    service.put('build/a.md', 'a\n');
    service.put('.hidden/b.md', 'b\n');
    expect((await ada.sync()).skipped.map(({ row_key, code }) => [row_key, code])).toEqual([
      ['.hidden/b.md', 'ignored'],
      ['build/a.md', 'ignored'],
    ]);
    expect(ada.files()).toEqual(['.gitignore']);
  });

  it('links are neither followed nor written through, and what they hide is not removed', async () => {
    ada.write('a.md', 'a\n');
    ada.write('dir/b.md', 'b\n');
    await ada.sync();
    ada.drop('a.md');
    ada.disk.putLink(`${ada.root}/a.md`);
    service.put('a.md', 'new\n');
    service.put('link/c.md', 'c\n');
    ada.disk.putLink(`${ada.root}/link`);
    const { skipped, removed_there } = await ada.sync();
    expect(skipped.map(({ row_key, code }) => [row_key, code])).toEqual([
      ['a.md', 'symlink'],
      ['link/c.md', 'symlink'],
    ]);
    expect(removed_there).toEqual([]);
  });

  it('a folder that is a workspace of its own belongs to that one alone', async () => {
    ada.write('inner/a.md', 'a\n');
    ada.write('b.md', 'b\n');
    ada.write('c.md', 'c\n');
    await ada.sync();
    await initWorkspace(`${ada.root}/inner`, { url: 'http://service', team: 'other' }, ada.disk);
    ada.write('inner/secret-of-others.md', 'x\n');
    service.put('inner/a.md', 'edited\n');
    service.put('inner/new.md', 'new\n');
    ada.drop('b.md');
    const { pushed, removed_there, written, skipped } = await ada.sync();
    expect([pushed, removed_there, written]).toEqual([[], ['b.md'], []]);
    expect(skipped.map(({ row_key, code }) => [row_key, code])).toEqual([
      ['inner/a.md', 'other_workspace'],
      ['inner/new.md', 'other_workspace'],
    ]);
    expect(ada.text('inner/a.md')).toBe('a\n');
  });

  it('a folder that became a symbolic link removes nothing from the service', async () => {
    ada.write('a.md', 'a\n');
    ada.write('dir/b.md', 'b\n');
    ada.write('dir/deep/c.md', 'c\n');
    await ada.sync();
    ada.drop('dir/b.md');
    ada.drop('dir/deep/c.md');
    ada.disk.putLink(`${ada.root}/dir`);
    const { skipped, removed_there } = await ada.sync();
    expect(removed_there).toEqual([]);
    expect(skipped.map(({ row_key, code }) => [row_key, code])).toEqual([
      ['dir/b.md', 'symlink'],
      ['dir/deep/c.md', 'symlink'],
    ]);
    expect([...service.items().keys()].sort()).toEqual(['a.md', 'dir/b.md', 'dir/deep/c.md']);
  });

  it('what cannot be read is neither there nor removed', async () => {
    ada.write('a.md', 'a\n');
    ada.write('dir/b.md', 'b\n');
    ada.write('c.md', 'c\n');
    await ada.sync();
    ada.write('a.md', 'a, edited\n');
    ada.disk.lock(`${ada.root}/a.md`);
    ada.disk.lock(`${ada.root}/dir`);
    const { skipped, removed_there } = await ada.sync();
    expect(removed_there).toEqual([]);
    expect(skipped.map(({ row_key, code }) => [row_key, code])).toEqual([
      ['a.md', 'unreadable'],
      ['dir/', 'unreadable'],
      ['dir/b.md', 'unreadable'],
    ]);
  });

  it('files that cannot be pushed are told, and the others go on', async () => {
    ada.write('big.md', 'x'.repeat(1_200_000));
    ada.write('bytes.md', new Uint8Array([0xff, 0xfe, 0x00]));
    ada.write('broken.md', '---\na: [\n---\n');
    ada.write('audience.md', '---\naudience: nobody\n---\n');
    ada.write('back\\slash.md', 'x\n');
    ada.write('fine.md', 'fine\n');
    const { pushed, skipped } = await ada.sync();
    expect(pushed).toEqual(['fine.md']);
    expect(Object.fromEntries(skipped.map(({ row_key, code }) => [row_key, code]))).toEqual({
      'big.md': 'too_large',
      'bytes.md': 'invalid_encoding',
      'broken.md': 'invalid_front_matter',
      'audience.md': 'invalid_audience',
      'back\\slash.md': 'bad_name',
    });
  });

  it('names that no file may have are not written', async () => {
    for (const name of ['.git/config.md', '.tms/x.md', 'run.sh', 'a.conflict-eve-20261121T062700001Z.md']) {
      service.put(name, 'x\n');
    }
    const { skipped } = await ada.sync();
    expect(skipped).toHaveLength(4);
    expect(ada.files()).toEqual([]);
  });

  it('orders for agents are not taken from guests, neither written, merged nor laid beside', async () => {
    service.put('AGENTS.md', 'obey\n', { tier: 'external' });
    service.put('CLAUDE.md', 'ours\n');
    expect(await ada.sync()).toMatchObject({
      written: ['CLAUDE.md'],
      instructions: ['CLAUDE.md'],
      skipped: [{ row_key: 'AGENTS.md', code: 'instructions_from_guest' }],
    });
    service.put('CLAUDE.md', 'ours\nand a guest’s\n', { tier: 'external' });
    expect(await ada.sync()).toMatchObject({ written: [], skipped: [{}, { row_key: 'CLAUDE.md' }] });
    expect(ada.text('CLAUDE.md')).toBe('ours\n');
    expect(await ada.sync({ allowInstructions: true })).toMatchObject({
      written: ['AGENTS.md', 'CLAUDE.md'],
    });
  });
});

describe('tiers', () => {
  it('a change is told, and an old copy of what became internal does not publish it again', async () => {
    ada.write('a.md', '---\naudience: external\n---\none\n');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('external');
    service.changeTier('a.md', 'team');
    ada.write('a.md', '---\naudience: external\n---\none\ntwo\n');
    expect(await ada.sync({ tier: 'external' })).toMatchObject({
      tier_changes: [{ row_key: 'a.md', from: 'external', to: 'team' }],
    });
    expect(service.items().get('a.md')).toMatchObject({ tier: 'team', content: 'one\ntwo\n' });
    ada.move('a.md', 'b.md');
    await ada.sync();
    expect(service.items().get('b.md')?.tier).toBe('team');
    await ada.sync({ tier: 'external', paths: ['b.md'] });
    expect(service.items().get('b.md')?.tier).toBe('external');
  });

  it('an edit of the audience publishes', async () => {
    ada.write('a.md', '---\naudience: team\n---\none\n');
    await ada.sync();
    ada.write('a.md', '---\naudience: external\n---\none\n');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('external');
  });

  it('what others removed is made again for the team only', async () => {
    ada.write('a.md', '---\naudience: external\n---\none\n');
    await ada.sync();
    service.remove('a.md', undefined);
    ada.write('a.md', '---\naudience: external\n---\none\ntwo\n');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('team');
  });

  it('a guest’s key pushes external items', async () => {
    const guest = await createReplica(service, { root: '/guest', tier: 'external' });
    guest.write('a.md', 'a\n');
    await guest.sync();
    expect(service.items().get('a.md')?.tier).toBe('external');
  });
});

describe('names on this file system', () => {
  it('a file becomes a folder and a folder a file', async () => {
    ada.write('x.md', 'file\n');
    ada.write('y.md/inner.md', 'inner\n');
    await ada.sync();
    await bob.sync();
    ada.move('x.md', 'x.md.tmp');
    ada.move('x.md.tmp', 'x.md/inner.md');
    ada.move('y.md/inner.md', 'tmp.md');
    ada.drop('y.md');
    ada.move('tmp.md', 'y.md');
    await ada.sync();
    await bob.sync();
    expect(contents(bob)).toEqual({ 'x.md/inner.md': 'file\n', 'y.md': 'inner\n' });
    expect((await bob.sync()).skipped).toEqual([]);
  });

  it('a name that both a file and a folder would have is told, and the rest goes on', async () => {
    service.put('a.md', 'file\n');
    service.put('a.md/b.md', 'below\n');
    service.put('c.md', 'c\n');
    const { written, skipped } = await ada.sync();
    expect(written).toEqual(['a.md', 'c.md']);
    expect(skipped).toMatchObject([{ row_key: 'a.md/b.md', code: 'blocked' }]);
  });

  it('a change of case is a rename, also where both names are one file', async () => {
    const { createMemoryFileSystem } = await import('./testing/memory-file-system.fixture.ts');
    const mac = await createReplica(service, {
      disk: createMemoryFileSystem({ ignoresCase: true }),
      root: '/mac',
    });
    ada.write('Plan.md', 'plan\n');
    await ada.sync();
    await mac.sync();
    ada.move('Plan.md', 'plan.md');
    expect(await ada.sync()).toMatchObject({ renamed: [{ from: 'Plan.md', to: 'plan.md' }] });
    await mac.sync();
    expect(contents(mac)).toEqual({ 'plan.md': 'plan\n' });
    mac.move('plan.md', 'PLAN.md');
    expect(await mac.sync()).toMatchObject({ renamed: [{ from: 'plan.md', to: 'PLAN.md' }] });
    await ada.sync();
    expect(contents(ada)).toEqual({ 'PLAN.md': 'plan\n' });
    service.put('Plan.md', 'another\n');
    expect(await mac.sync()).toMatchObject({
      written: [],
      skipped: [{ row_key: 'Plan.md', code: 'case_collision' }],
    });
    expect(contents(mac)).toEqual({ 'PLAN.md': 'plan\n' });
  });

  it('folders that differ only in case do not rename each other for ever', async () => {
    const { createMemoryFileSystem } = await import('./testing/memory-file-system.fixture.ts');
    const mac = await createReplica(service, {
      disk: createMemoryFileSystem({ ignoresCase: true }),
      root: '/mac',
    });
    mac.write('Docs/a.md', 'a\n');
    await mac.sync();
    service.put('docs/b.md', 'b\n');
    await mac.sync();
    expect(await mac.sync()).toMatchObject({ renamed: [], pushed: [], removed_there: [], unchanged: 2 });
    expect([...service.items().keys()].sort()).toEqual(['Docs/a.md', 'docs/b.md']);
  });
});

describe('limits and refusals', () => {
  it('refused items are told one by one, and the others go on', async () => {
    const picky = await createReplica(service, {
      root: '/picky',
      before: (call, items) => {
        if (call !== 'pushItems') return;
        for (const item of items as { row_key: string; tier: string; checksum: string }[]) {
          if (item.row_key === 'b.md') item.tier = 'external';
        }
      },
    });
    for (const name of ['a.md', 'b.md', 'c.md']) picky.write(name, `${name}\n`);
    const push = service.push;
    service.push = (item, member) =>
      item.tier === 'external' ? { code: 'forbidden_tier', detail: 'No.' } : push(item, member);
    expect(await picky.sync()).toMatchObject({
      pushed: ['a.md', 'c.md'],
      rejected: [{ row_key: 'b.md', code: 'forbidden_tier' }],
    });
  });

  it('500 files go in batches of at most 200, each file once', async () => {
    const sizes: number[] = [];
    const big = await createReplica(service, {
      root: '/big',
      before: (call, items) => {
        if (call === 'pushItems') sizes.push((items as unknown[]).length);
      },
    });
    for (const name of many(500)) big.write(name, `${name}\n`);
    expect((await big.sync()).pushed).toHaveLength(500);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    expect(big.events.filter(({ kind }) => kind === 'done')).toHaveLength(500);
  });

  it('the item that a push sends names the version that it replaces', async () => {
    const bases: (string | null)[] = [];
    const client = await createReplica(service, {
      root: '/bases',
      before: (call, items) => {
        if (call === 'pushItems')
          bases.push(...(items as { base_checksum: string | null }[]).map((one) => one.base_checksum));
      },
    });
    client.write('a.md', 'one\n');
    await client.sync();
    client.write('a.md', 'two\n');
    await client.sync();
    expect(bases).toEqual([null, checksumOf(Buffer.from('one\n'))]);
  });

  it('a batch that is larger than the limit is split, without waiting for what never fits', async () => {
    const sizes: number[] = [];
    const small = await createReplica(service, {
      root: '/small',
      before: (call, items) => {
        if (call !== 'pushItems') return;
        const { length } = items as unknown[];
        if (length > 25) throw rateLimited(60, 25);
        sizes.push(length);
      },
    });
    for (const name of many(60)) small.write(name, `${name}\n`);
    expect((await small.sync()).pushed).toHaveLength(60);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(25);
    expect(small.events.some(({ kind }) => kind === 'waiting')).toBe(false);
  });

  it('at the write limit the run waits as long as the service asks, tells it, and goes on', async () => {
    let refusals = 1;
    const busy = await createReplica(service, {
      root: '/busy',
      before: (call) => {
        if (call === 'pushItems' && refusals-- > 0) throw rateLimited(1, 60);
      },
    });
    busy.write('a.md', 'a\n');
    expect(await busy.sync()).toMatchObject({ pushed: ['a.md'] });
    expect(busy.events).toContainEqual({ kind: 'waiting', seconds: 1, writes_per_minute: 60 });
  });

  it('a key that may only read still pulls', async () => {
    service.put('theirs.md', 'theirs\n');
    const reader = await createReplica(service, {
      root: '/reader',
      access: 'read',
      before: (call) => {
        if (call !== 'pushItems') return;
        throw new ProblemError({ status: 403, code: 'forbidden_access', detail: 'This key may only read.' });
      },
    });
    reader.write('mine.md', 'mine\n');
    expect(await reader.sync()).toMatchObject({
      written: ['theirs.md'],
      rejected: [{ row_key: 'mine.md', code: 'forbidden_access' }],
    });
  });
});

describe('with a key that proposes', () => {
  it('a file waits here, stays as it is, and is in step once a reviewer has accepted it', async () => {
    service.put('theirs.md', 'theirs\n');
    const agent = await createReplica(service, { root: '/agent', access: 'propose' });
    agent.write('mine.md', 'mine\n');
    const waits = { pushed: [], rejected: [], skipped: [{ row_key: 'mine.md', code: 'proposed' }] };
    for (const _time of ['first', 'second']) expect(await agent.sync()).toMatchObject(waits);
    agent.write('theirs.md', 'changed\n');
    agent.move('mine.md', 'moved.md');
    const both = await agent.sync();
    expect(both.skipped.map(({ row_key }) => row_key).toSorted()).toEqual(['moved.md', 'theirs.md']);
    service.put('theirs.md', 'changed\n');
    service.put('moved.md', 'mine\n');
    expect(await agent.sync()).toMatchObject({ pushed: [], skipped: [], conflicts: [], removed_here: [] });
    expect(agent.text('theirs.md')).toBe('changed\n');
    expect(agent.text('moved.md')).toBe('mine\n');
  });
});

describe('files that change while a run works', () => {
  const changing = (times: number): Pick<FileSystem, 'read'> => {
    let left = times;
    return {
      read: async (path, maxBytes) => {
        if (path.endsWith('/a.md') && left-- > 0) throw changed(path);
        return ada.disk.read(path, maxBytes);
      },
    };
  };

  it('are read again, and left for the next run if that does not help', async () => {
    ada.write('a.md', 'a\n');
    await ada.sync();
    ada.write('a.md', 'edited\n');
    const on = (files: Partial<FileSystem>) =>
      createReplica(service, { ...ada, files: { ...ada.disk, ...files } });
    const restless = await on(changing(1_000));
    expect(await restless.sync()).toMatchObject({
      pushed: [],
      removed_there: [],
      skipped: [{ row_key: 'a.md', code: 'changing' }],
    });
    expect(await (await on(changing(2))).sync()).toMatchObject({ pushed: ['a.md'] });
  });

  it('are not overwritten: an edit right before the file is replaced stays', async () => {
    ada.write('a.md', 'one\n');
    await ada.sync();
    service.put('a.md', 'theirs\n');
    const create: FileSystem['create'] = async (path, bytes, options) => {
      await ada.disk.create(path, bytes, options);
      if (Buffer.from(bytes).toString() === 'theirs\n' && !path.includes('.tms/'))
        ada.write('a.md', 'mine\n');
    };
    const raced = await createReplica(service, { ...ada, files: { ...ada.disk, create } });
    expect(await raced.sync()).toMatchObject({
      written: [],
      skipped: [{ row_key: 'a.md', code: 'changing' }],
    });
    expect(ada.text('a.md')).toBe('mine\n');
    expect(await ada.sync()).toMatchObject({ conflicts: [{ row_key: 'a.md' }] });
    expect(ada.disk.all().filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });
});

function rateLimited(retryAfterSeconds: number, quota: number): ProblemError {
  return new ProblemError({
    status: 429,
    code: 'rate_limited',
    detail: 'Too many.',
    retryAfterSeconds,
    quota,
  });
}

describe('credentials', () => {
  // In two parts, so that no credential stands in the repository.
  const secret = `DB_PASSWORD=${'q7Rt2xKp'}${'9LmW4vZs'}`;

  it('keep a file here, whose line and kind are told, until it is corrected or allowed', async () => {
    ada.write('a.md', `---\ntitle: A\n---\n\n${secret}\n`);
    ada.write('b.md', 'b\n');
    ada.write('c.md', `---\ntms: allow-secret\n---\n${secret}\n`);
    const rejected = [
      {
        row_key: 'a.md',
        code: 'contains_secret',
        detail: expect.stringMatching(/^line 5 has a secret in an assignment;/),
      },
    ];
    expect(await ada.sync()).toMatchObject({ pushed: ['b.md', 'c.md'], rejected });
    expect(await ada.sync()).toMatchObject({ pushed: [], rejected });
    ada.write('a.md', '---\ntitle: A\n---\n\nin the vault\n');
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'], rejected: [] });
  });

  it('in a file that is renamed leave the team its old name', async () => {
    await ada.sync({ allowSecrets: true });
    ada.write('a.md', `${secret}\n`);
    expect(await ada.sync({ allowSecrets: true })).toMatchObject({ pushed: ['a.md'], rejected: [] });
    ada.move('a.md', 'b.md');
    expect(await ada.sync()).toMatchObject({ renamed: [], removed_there: [] });
    expect([...service.items().keys()]).toEqual(['a.md']);
  });

  it('that the team has already hold up neither another edit nor another tier, and further ones do', async () => {
    ada.write('a.md', `${secret}\n`);
    await ada.sync({ allowSecrets: true, tier: 'external' });
    ada.write('a.md', `# Edited\n\n${secret}\n`);
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'], rejected: [] });
    expect(await ada.sync({ tier: 'team', paths: ['a.md'] })).toMatchObject({
      pushed: ['a.md'],
      rejected: [],
    });
    ada.write('a.md', `${secret}\nDB_TOKEN=${'Zx3Kq8Lw'}${'5Rt7Vn2B'}\n`);
    expect(await ada.sync()).toMatchObject({ pushed: [], rejected: [{ code: 'contains_secret' }] });
  });

  it('in the name of a file, and hidden in its front matter by escapes, keep it here', async () => {
    const name = `${secret}.md`;
    ada.write(name, 'a\n');
    ada.write('b.md', `---\n"\\x70assword": "${'q7Rt2xKp'}${'9LmW4vZs'}"\n---\nb\n`);
    expect((await ada.sync()).rejected).toMatchObject([
      { row_key: name, detail: expect.stringMatching(/^its name has a secret/) },
      { row_key: 'b.md', detail: expect.stringMatching(/^its front matter has a secret/) },
    ]);
    expect([...service.items().keys()]).toEqual([]);
  });
});
