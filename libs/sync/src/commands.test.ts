import { beforeEach, describe, expect, it } from 'vitest';
import { eraseItems, findErasable } from './erase.ts';
import { moveFile, removeFiles } from './move.ts';
import { remoteStatus } from './remote-status.ts';
import { resolveConflict } from './resolve.ts';
import { localDifference, localStatus } from './status.ts';
import { createFakeService, type FakeService } from './testing/fake-service.fixture.ts';
import { createReplica, type Replica } from './testing/replica.fixture.ts';

let service: FakeService;
let ada: Replica;
beforeEach(async () => {
  service = createFakeService();
  ada = await createReplica(service, { member: 'ada' });
  for (const name of ['a.md', 'b.md', 'c.md', 'dir/d.md', 'dir/e.md']) ada.write(name, `${name}\n`);
  await ada.sync();
});
const status = () => ada.within(localStatus);
const signal = new AbortController().signal;

describe('status', () => {
  it('tells what changed here, without the service', async () => {
    ada.write('a.md', 'edited\n');
    ada.drop('b.md');
    ada.move('c.md', 'moved.md');
    ada.write('new.md', 'new\n');
    ada.write('secret.md', '---\naudience: private\n---\n');
    ada.write('.hidden.md', 'x\n');
    expect(await status()).toMatchObject({
      added: ['new.md'],
      changed: ['a.md'],
      removed: ['b.md'],
      renamed: [{ from: 'c.md', to: 'moved.md' }],
      private: ['secret.md'],
      ignored: ['.hidden.md'],
      conflicts: [],
      unchanged: 2,
    });
  });

  it('tells what changed on the service, and changes nothing here', async () => {
    service.put('a.md', 'theirs\n');
    service.put('new.md', 'new\n');
    service.put('AGENTS.md', 'obey\n', { tier: 'external' });
    service.remove('b.md', undefined);
    service.changeTier('c.md', 'external');
    const remote = () => ada.within((workspace) => remoteStatus(workspace, service.client(), { signal }));
    const expected = {
      added: ['new.md'],
      changed: ['a.md'],
      removed: ['b.md'],
      tier_changes: [{ row_key: 'c.md', from: 'team', to: 'external' }],
      skipped: [{ row_key: 'AGENTS.md', code: 'instructions_from_guest' }],
    };
    expect(await remote()).toMatchObject(expected);
    expect(await remote()).toMatchObject(expected);
    expect(await status()).toMatchObject({ changed: [], unchanged: 5 });
  });

  it('a difference has the text that was last in step and the one here', async () => {
    const difference = (rowKey: string) => ada.within((workspace) => localDifference(workspace, rowKey));
    ada.write('a.md', 'edited\n');
    ada.drop('b.md');
    ada.write('new.md', 'new\n');
    expect(await difference('a.md')).toEqual({ row_key: 'a.md', base: 'a.md\n', local: 'edited\n' });
    expect(await difference('b.md')).toMatchObject({ base: 'b.md\n', local: undefined });
    expect(await difference('new.md')).toMatchObject({ base: undefined, local: 'new\n' });
    await expect(difference('none.md')).rejects.toMatchObject({ code: 'no_such_file' });
  });
});

describe('resolve', () => {
  let copy: string;
  beforeEach(async () => {
    service.put('a.md', 'theirs\n');
    ada.write('a.md', 'mine\n');
    copy = (await ada.sync()).conflicts[0]?.copy ?? '';
    expect(ada.text(copy)).toBe('theirs\n');
    expect((await status()).conflicts).toMatchObject([{ row_key: 'a.md', kind: 'edited', copy, by: 'eve' }]);
  });
  const resolve = (choice: 'mine' | 'theirs' | 'merged') =>
    ada.within((workspace) => resolveConflict(workspace, 'a.md', choice));

  it('mine replaces the other version at the next push', async () => {
    await resolve('mine');
    expect(ada.text(copy)).toBeUndefined();
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'], conflicts: [] });
    expect(service.items().get('a.md')?.content).toBe('mine\n');
    await expect(resolve('mine')).rejects.toMatchObject({ code: 'no_conflict' });
  });

  it('theirs replaces the file here', async () => {
    await resolve('theirs');
    expect(ada.text('a.md')).toBe('theirs\n');
    expect(await ada.sync()).toMatchObject({ pushed: [], conflicts: [], unchanged: 5 });
  });

  it('merged pushes what the user made of both; a copy that was edited stays', async () => {
    ada.write('a.md', 'mine and theirs\n');
    ada.write(copy, 'edited\n');
    await resolve('merged');
    expect(ada.text(copy)).toBe('edited\n');
    expect(await ada.sync()).toMatchObject({ pushed: ['a.md'], conflicts: [] });
    expect(await ada.sync()).toMatchObject({ pushed: [], unchanged: 5 });
  });

  it('mine does not undo what others pushed after the conflict', async () => {
    service.put('a.md', 'theirs, later\n');
    await resolve('mine');
    expect(await ada.sync()).toMatchObject({ pushed: [], conflicts: [{ row_key: 'a.md' }] });
    expect(service.items().get('a.md')?.content).toBe('theirs, later\n');
  });

  it('mine does not make an item external again that is internal by now', async () => {
    ada.write('a.md', '---\naudience: external\n---\nmine\n');
    await resolve('mine');
    await ada.sync();
    expect(service.items().get('a.md')?.tier).toBe('team');
  });
});

describe('mv and rm', () => {
  const move = (from: string, to: string) => ada.within((workspace) => moveFile(workspace, from, to));
  const remove = (rowKeys: string[], keepLocal = false) =>
    ada.within((workspace) => removeFiles(workspace, rowKeys, { keepLocal }));

  it('a moved file is a rename even if it was edited since, and keeps its tier', async () => {
    service.changeTier('a.md', 'external');
    await ada.sync();
    await move('a.md', 'b2/a.md');
    await move('b2/a.md', 'b3.md');
    ada.write('b3.md', 'edited\n');
    expect(await ada.sync()).toMatchObject({ renamed: [{ from: 'a.md', to: 'b3.md' }], removed_there: [] });
    expect(service.items().get('b3.md')).toMatchObject({ tier: 'external', content: 'edited\n' });
  });

  it('a folder moves with all that is in it', async () => {
    expect(await move('dir', 'other/place')).toEqual([
      { from: 'dir/d.md', to: 'other/place/d.md' },
      { from: 'dir/e.md', to: 'other/place/e.md' },
    ]);
    expect((await ada.sync()).renamed).toHaveLength(2);
  });

  it('nothing is overwritten, and no name is taken that no item can have', async () => {
    await expect(move('a.md', 'b.md')).rejects.toMatchObject({ code: 'file_exists' });
    await expect(move('none.md', 'x.md')).rejects.toMatchObject({ code: 'no_such_file' });
    for (const name of ['x.txt', '.git/x.md', '../x.md', 'a\\b.md']) {
      await expect(move('a.md', name), name).rejects.toMatchObject({ code: 'bad_path' });
    }
  });

  it('removed files go from here and, with the next push, from the service', async () => {
    expect(await remove(['dir', 'a.md'])).toEqual(['a.md', 'dir/d.md', 'dir/e.md']);
    expect((await ada.sync()).removed_there).toEqual(['a.md', 'dir/d.md', 'dir/e.md']);
    await expect(remove(['none.md'])).rejects.toMatchObject({ code: 'no_such_file' });
  });

  it('only the team’s copy of a file goes that turned private, unless others changed it', async () => {
    ada.write('a.md', '---\naudience: private\n---\nsecret\n');
    ada.write('b.md', '---\naudience: private\n---\nsecret\n');
    await expect(remove(['c.md'], true)).rejects.toMatchObject({ code: 'bad_path' });
    await remove(['a.md', 'b.md'], true);
    service.put('b.md', 'edited by others\n');
    expect(await ada.sync()).toMatchObject({ removed_there: ['a.md'], kept: [{ row_key: 'b.md' }] });
    expect(ada.text('a.md')).toContain('secret');
    expect([...service.items().keys()]).toContain('b.md');
    expect(await ada.sync()).toMatchObject({ private: ['a.md'], turned_private: ['b.md'] });
  });
});

describe('erasing', () => {
  const erase = (names: string[], keepLocal = false) =>
    ada.within(async (workspace) => {
      const rowKeys = await findErasable(workspace, names);
      return eraseItems(workspace, service.client(), rowKeys, { keepLocal, signal });
    });

  it('takes the files below a name from here and, with every version, from the service, and what was removed before', async () => {
    ada.write('dir/d.md', 'edited\n');
    ada.drop('a.md');
    await ada.sync();
    expect(await erase(['dir', 'a.md'])).toEqual({ erased: ['a.md', 'dir/d.md', 'dir/e.md'], rejected: [] });
    for (const rowKey of ['a.md', 'dir/d.md']) expect(service.versions(rowKey)).toHaveLength(1);
    expect([...service.items().keys()]).toEqual(['b.md', 'c.md']);
    expect(await ada.sync()).toMatchObject({ pushed: [], written: [], removed_here: [], unchanged: 2 });
    expect((await erase(['none.md'])).rejected).toMatchObject([{ row_key: 'none.md', code: 'not_found' }]);
  });

  it('keeps a private file here, and refuses to keep one that would be pushed again', async () => {
    await expect(erase(['b.md'], true)).rejects.toMatchObject({ code: 'bad_path' });
    ada.write('a.md', '---\naudience: private\n---\nsecret\n');
    await ada.sync();
    expect(await erase(['a.md'], true)).toMatchObject({ erased: ['a.md'] });
    expect(ada.text('a.md')).toContain('secret');
    expect(await ada.sync()).toMatchObject({ private: ['a.md'], turned_private: [], pushed: [] });
    expect(service.versions('b.md')).toHaveLength(1);
  });

  it('leaves what others changed since the last look, until it was seen', async () => {
    service.put('a.md', 'edited by others\n');
    expect((await erase(['a.md'])).rejected).toMatchObject([{ row_key: 'a.md', code: 'conflict' }]);
    expect(ada.text('a.md')).toBe('a.md\n');
    await ada.sync();
    expect(await erase(['a.md'])).toMatchObject({ erased: ['a.md'] });
  });
});
