import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

describeEachEngine('rows whose keys begin with a text', (engine) => {
  let stores: ContentStores;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  test('are found removed from the last key on, with what they keep, in their own list and team only', async () => {
    const keys = ['a\n1', 'a\n2', 'a\n4', 'a\n3', 'ab\n1', 'a'];
    const changes = keys.map((rowKey, index) => {
      const row = storedRow(rowKey, index + 1, { deleted: rowKey !== 'a\n2' });
      return { row, previous: undefined };
    });
    expect(await stores.tasks.append('team', changes, 0)).toBe(keys.length);
    const other = { row: storedRow('a\n5', 1, { deleted: true }), previous: undefined };
    await stores.tasks.append('other', [other], 0);
    await stores.decisions.append('team', [other], 0);
    const found = await stores.tasks.removedStartingWith('team', 'a\n', 10);
    expect(found.map(({ rowKey }) => rowKey)).toEqual(['a\n4', 'a\n3', 'a\n1']);
    expect(JSON.parse(Buffer.from(found[0]?.json ?? []).toString())).toEqual({ row_key: 'a\n4', seq: 3 });
    expect(await stores.tasks.removedStartingWith('team', 'a\n', 1)).toHaveLength(1);
  });

  test('are found live and by key, in their own list and team only', async () => {
    const { tasks, decisions } = stores;
    const keys = ['a\n2', 'a\n1', 'a\n0', 'a', 'ab\n1', 'a b\n1', 'A\n1'];
    const changes = keys.map((rowKey, index) => {
      const row = storedRow(rowKey, index + 1, { deleted: rowKey === 'a\n0' });
      return { row, previous: undefined };
    });
    expect(await tasks.append('team', changes, 0)).toBe(keys.length);
    const other = { row: storedRow('a\n3', 1), previous: undefined };
    await tasks.append('other', [other], 0);
    await decisions.append('team', [other], 0);
    const found = await tasks.startingWith('team', 'a\n', 10);
    expect(found.map(({ rowKey }) => rowKey)).toEqual(['a\n1', 'a\n2']);
    expect(JSON.parse(Buffer.from(found[0]?.json ?? []).toString())).toEqual({ row_key: 'a\n1', seq: 2 });
    expect(await tasks.startingWith('team', 'a\n', 1)).toHaveLength(1);
    expect(await tasks.keysStartingWith('team', 'a', '', 3)).toEqual(['a', 'a\n1', 'a\n2']);
    expect(await tasks.keysStartingWith('team', 'a', 'a\n2', 3)).toEqual(['a b\n1', 'ab\n1']);
    expect([await tasks.teamAfter(''), await tasks.teamAfter('other')]).toEqual(['other', 'team']);
    expect(await tasks.teamAfter('team')).toBeUndefined();
  });
});
