import { beforeEach, describe, expect, it } from 'vitest';
import { initWorkspace } from './state/workspace.ts';
import type { FakeService } from './testing/fake-service.fixture.ts';
import { contents, createPair, type Replica } from './testing/replica.fixture.ts';

let service: FakeService;
let ada: Replica;
let bob: Replica;
beforeEach(async () => {
  ({ service, ada, bob } = await createPair());
});

const many = (count: number) => Array.from({ length: count }, (_, number) => `n${number}.md`);

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
