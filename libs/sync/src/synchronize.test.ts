import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeService, type FakeService, lostAnswer } from './testing/fake-service.fixture.ts';
import { contents, createPair, createReplica, type Replica } from './testing/replica.fixture.ts';

let service: FakeService;
let ada: Replica;
let bob: Replica;
beforeEach(async () => {
  ({ service, ada, bob } = await createPair());
});

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
