import { expect, test } from 'vitest';
import type { ItemPassages } from '../domain/passages/passage.ts';
import {
  type PassageStore,
  passagesFromJson,
  type StoredItem,
  storedItem,
} from '../domain/passages/passage-store.ts';

/** A row of one passage. */
export function rowOf(rowKey: string, seq: number, changed: Partial<ItemPassages> = {}): ItemPassages {
  const passages = [{ ordinal: 0, headings: ['Guide', 'Part'], text: `text at ${seq}` }];
  return {
    rowKey,
    seq,
    tier: seq % 2 === 0 ? 'team' : 'external',
    title: `Title of ${rowKey}`,
    passages,
    ...changed,
  };
}

/** Declares what every engine's store of passages guarantees. */
export function passageStoreContract(store: () => PassageStore): void {
  const changesAfter = async (teamId: string, afterSeq: number, rows: number, characters = 2 ** 30) =>
    (await store().changesAfter(teamId, afterSeq, { rows, characters })).map(asItem);
  const replaceItems = (teamId: string, items: readonly ItemPassages[]) =>
    store().replaceItems(teamId, items.map(storedItem));
  const all = (teamId: string) => changesAfter(teamId, 0, 1_000);

  test('a team never followed has no rows and stands at 0', async () => {
    expect(await all('team')).toEqual([]);
    expect(await store().cursor('team')).toBe(0);
  });

  test('rows come back as they were, lowest position first, page by page', async () => {
    const rows = [rowOf('c.md', 1), rowOf('a.md', 2), rowOf('b.md', 4)];
    await replaceItems('team', rows.toReversed());
    expect(await all('team')).toEqual(rows);
    expect(await changesAfter('team', 0, 2)).toEqual(rows.slice(0, 2));
    expect(await changesAfter('team', 2, 2)).toEqual(rows.slice(2));
    expect(await changesAfter('team', 4, 2)).toEqual([]);
  });

  test('a page ends behind the row that fills it, however large that is', async () => {
    const rows = [rowOf('a.md', 1), rowOf('b.md', 2), rowOf('c.md', 3)];
    await replaceItems('team', rows);
    expect(await changesAfter('team', 0, 10, 1)).toEqual(rows.slice(0, 1));
    expect(await changesAfter('team', 1, 10, 150)).toEqual(rows.slice(1));
  });

  test('a newer state replaces the whole row, and moves it; a removed item stays as an empty row', async () => {
    await replaceItems('team', [rowOf('a.md', 1), rowOf('b.md', 2)]);
    const removed = rowOf('a.md', 3, { passages: [], title: '', tier: 'external' });
    await replaceItems('team', [removed]);
    expect(await all('team')).toEqual([rowOf('b.md', 2), removed]);
  });

  test('an older state, or the same again, changes nothing, and does not keep newer ones beside it out', async () => {
    await replaceItems('team', [rowOf('a.md', 5)]);
    await replaceItems('team', [rowOf('a.md', 4, { title: 'older' }), rowOf('b.md', 6), rowOf('c.md', 7)]);
    await replaceItems('team', [rowOf('a.md', 5, { title: 'again' }), rowOf('b.md', 8)]);
    expect(await all('team')).toEqual([rowOf('a.md', 5), rowOf('c.md', 7), rowOf('b.md', 8)]);
  });

  test('of many who replace the same rows at once the newest state wins', async () => {
    const seqs = Array.from({ length: 24 }, (_, index) => ((index * 7) % 24) + 1);
    const replace = (seq: number) => replaceItems('team', [rowOf('a.md', seq), rowOf('b.md', seq + 100)]);
    await Promise.all(seqs.map(replace));
    expect(await all('team')).toEqual([rowOf('a.md', 24), rowOf('b.md', 124)]);
  });

  test('the writer of an item is that of its newest state, and is left out where it is not known', async () => {
    const written = (rowKey: string, seq: number, writerId?: string) => ({
      ...storedItem(rowOf(rowKey, seq)),
      writerId,
    });
    const writers = () => store().writersOf('team', ['a.md', 'b.md', 'c.md', '$gt', 'absent.md']);
    await store().replaceItems('team', [
      written('a.md', 1, 'ada'),
      written('b.md', 2),
      written('c.md', 3, 'bob'),
    ]);
    await store().replaceItems('other', [written('b.md', 4, 'eve')]);
    expect(await writers()).toEqual(
      new Map([
        ['a.md', 'ada'],
        ['c.md', 'bob'],
      ]),
    );
    await store().replaceItems('team', [
      written('a.md', 5, 'bob'),
      written('b.md', 6, 'ada'),
      written('c.md', 7),
    ]);
    await store().replaceItems('team', [written('a.md', 4, 'eve')]);
    expect(await writers()).toEqual(
      new Map([
        ['a.md', 'bob'],
        ['b.md', 'ada'],
      ]),
    );
    expect(await all('team')).toEqual([
      rowOf('a.md', 5, { writerId: 'bob' }),
      rowOf('b.md', 6, { writerId: 'ada' }),
      rowOf('c.md', 7),
    ]);
    expect(await store().writersOf('team', [])).toEqual(new Map());
  });

  test('the row of an item is found by its row key, in its team only, removed ones included', async () => {
    const rows = [rowOf('a.md', 1), rowOf('$ne', 2, { passages: [], title: '' })].map(storedItem);
    await store().replaceItems('team', rows);
    expect(await store().findItem('team', 'a.md')).toEqual(rows[0]);
    expect(await store().findItem('team', '$ne')).toEqual(rows[1]);
    expect(await store().findItem('team', 'absent.md')).toBeUndefined();
    expect(await store().findItem('other', 'a.md')).toBeUndefined();
    await store().replaceItems('team', [storedItem(rowOf('a.md', 3))]);
    expect(await store().findItem('team', 'a.md')).toMatchObject({ seq: 3 });
  });

  test('the cursor only moves forward, whoever moves it', async () => {
    await Promise.all([3, 9, 1, 7].map((seq) => store().advanceCursor('team', seq)));
    expect(await store().cursor('team')).toBe(9);
    await store().advanceCursor('team', 8);
    expect(await store().cursor('team')).toBe(9);
  });

  test('teams have nothing in common', async () => {
    await replaceItems('team', [rowOf('a.md', 1)]);
    await store().advanceCursor('team', 1);
    await replaceItems('other', [rowOf('a.md', 9)]);
    expect(await all('team')).toEqual([rowOf('a.md', 1)]);
    expect(await all('other')).toEqual([rowOf('a.md', 9)]);
    expect(await store().cursor('other')).toBe(0);
    expect(await all('team%')).toEqual([]);
  });

  test('rows stay while content has the data from which they were made', async () => {
    await replaceItems('team', [rowOf('a.md', 1)]);
    await store().advanceCursor('team', 1);
    for (const _start of [1, 2]) expect(await store().claim('team', 'data-1')).toBe(true);
    expect([await all('team'), await store().cursor('team')]).toEqual([[rowOf('a.md', 1)], 1]);
  });

  test.for([
    ['of other data', 'data-2', undefined],
    ['ahead of content', 'data-1', { ofSeq: 3 }],
  ] as const)(
    'rows that are %s are removed, of one team, and its feed is followed from its beginning',
    async (row) => {
      const [, dataId, ahead] = row;
      for (const teamId of ['team', 'other']) {
        await store().claim(teamId, 'data-1');
        await store().replaceItems(teamId, [rowOf('a.md', 4), rowOf('b.md', 5)].map(storedItem), 'data-1');
        await store().advanceCursor(teamId, 5);
      }
      expect(await store().claim('team', dataId, ahead)).toBe(false);
      expect([await all('team'), await store().cursor('team')]).toEqual([[], 0]);
      expect([(await all('other')).length, await store().cursor('other')]).toEqual([2, 5]);
      expect(await store().claim('team', dataId)).toBe(true);

      await store().replaceItems('team', [storedItem(rowOf('a.md', 2))], dataId);
      await store().advanceCursor('team', 2);
      expect([await all('team'), await store().cursor('team')]).toEqual([[rowOf('a.md', 2)], 2]);
    },
  );

  test('teams with a cursor come in their order, page by page', async () => {
    for (const teamId of ['c', 'a', 'b']) await store().advanceCursor(teamId, 1);
    expect(await store().teams('', 2)).toEqual(['a', 'b']);
    expect(await store().teams('b', 2)).toEqual(['c']);
  });

  test('hostile names and texts are data', async () => {
    const hostile = ['$where', 'a.b', '__proto__', "'; DROP TABLE passages; --", '{"$ne":null}', '%', '🙂'];
    const rows = hostile.map((text, index) => {
      const passages = [{ ordinal: 0, headings: [text], text: `${text}\u0000\ud800` }];
      return rowOf(text, index + 1, { title: text, passages });
    });
    await replaceItems('$gt', rows);
    expect(await all('$gt')).toEqual(rows);
  });

  test('an item of the largest size and no items at all are stored', async () => {
    const passages = Array.from({ length: 1_000 }, (_, ordinal) => ({
      ordinal,
      headings: [],
      text: '\u0001'.repeat(1_400),
    }));
    const large = rowOf('large.md', 1, { passages });
    await replaceItems('team', [large]);
    await replaceItems('team', []);
    expect(await all('team')).toEqual([large]);
  });
}

function asItem({ json, ...row }: StoredItem): ItemPassages {
  return { ...row, ...passagesFromJson(json) };
}
