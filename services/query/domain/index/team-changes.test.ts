import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import type { FeedItem, ItemFeed } from '../passages/feeds.ts';
import { fieldsOfItem } from '../passages/item-fields.ts';
import { type PassageStore, passagesFromJson } from '../passages/passage-store.ts';
import { feedInMemory, feedItem, passageStoreInMemory } from '../passages/passages.fixture.ts';
import { cutItems } from '../passages/passages.ts';
import { catchUp } from './team-changes.ts';

async function cut(items: readonly FeedItem[]) {
  return cutItems(items);
}

async function rowsOf(passages: PassageStore, teamId = 'team') {
  const rows = await passages.changesAfter(teamId, 0, { rows: 1_000, characters: 2 ** 30 });
  return rows.map(({ json, ...row }) => ({ ...row, ...passagesFromJson(json) }));
}

test('every item of the feed becomes its passages, removed ones an empty row', async () => {
  const [feed, passages] = [feedInMemory(), passageStoreInMemory()];
  for (let item = 1; item <= 120; item += 1)
    feed.push('team', feedItem(0, `text ${item}`, { rowKey: `${item}.md` }));
  await catchUp('team', { cut, feed, passages });
  feed.push('team', feedItem(0, '', { rowKey: '7.md' }));
  await catchUp('team', { cut, feed, passages });
  const rows = await rowsOf(passages);
  expect(rows).toHaveLength(120);
  expect(rows.at(-1)).toMatchObject({ rowKey: '7.md', seq: 121, passages: [] });
  expect(rows[0]).toMatchObject({
    rowKey: '1.md',
    seq: 1,
    passages: [{ text: 'text 1', ordinal: 0, headings: [] }],
  });
  expect(await passages.cursor('team')).toBe(121);
  expect(await rowsOf(passages, 'other')).toEqual([]);
});

test('of an erased item all else that was made is removed before the cursor moves on, also where a process died', async () => {
  const [feed, passages] = [feedInMemory(), passageStoreInMemory()];
  feed.push('team', feedItem(0, 'text', { rowKey: 'a.md' }));
  feed.push('team', feedItem(0, '', { rowKey: 'b.md', isErased: true }));
  const killed = async () => Promise.reject(new Error('killed'));
  await expect(catchUp('team', { cut, feed, passages, erase: killed })).rejects.toThrow('killed');
  const erased: string[] = [];
  await catchUp('team', { cut, feed, passages, erase: async (rowKeys) => void erased.push(...rowKeys) });
  expect(erased).toEqual(['b.md']);
  expect((await rowsOf(passages)).at(-1)).toMatchObject({ rowKey: 'b.md', passages: [], isErased: true });
});

test('an item that moves on while the feed is read is taken over where it is now', async () => {
  const [feed, passages] = [feedInMemory(), passageStoreInMemory()];
  for (let item = 1; item <= 60; item += 1) feed.push('team', feedItem(0, 'old', { rowKey: `${item}.md` }));
  let pages = 0;
  const moving: ItemFeed = {
    async read(...request) {
      const page = await feed.read(...request);
      pages += 1;
      if (pages === 1) feed.push('team', feedItem(0, 'new', { rowKey: '60.md' }));
      return page;
    },
  };
  await catchUp('team', { cut, feed: moving, passages });
  const last = (await rowsOf(passages)).at(-1);
  expect(last).toMatchObject({ rowKey: '60.md', seq: 61, passages: [{ text: 'new' }] });
});

test('stopped between rows and cursor it does the page again and leaves the same rows', async () => {
  const [feed, passages] = [feedInMemory(), passageStoreInMemory()];
  feed.push('team', feedItem(0, 'text'));
  const advanceCursor = () => Promise.reject(new Error('stopped'));
  await expect(catchUp('team', { cut, feed, passages: { ...passages, advanceCursor } })).rejects.toThrow(
    'stopped',
  );
  const rows = await rowsOf(passages);
  expect(rows).toHaveLength(1);
  await catchUp('team', { cut, feed, passages });
  expect(await rowsOf(passages)).toEqual(rows);
  expect(await passages.cursor('team')).toBe(1);
});

test.for([1, 2, 3])(
  'several at once, with writers between them (seed %i), leave what one alone leaves',
  async (seed) => {
    const random = seededRandom(seed);
    const [feed, passages, alone] = [feedInMemory(), passageStoreInMemory(), passageStoreInMemory()];
    const runs: Promise<number>[] = [];
    for (let step = 0; step < 200; step += 1) {
      feed.push('team', feedItem(0, `text ${step}`, { rowKey: `${random.integerBelow(80)}.md` }));
      if (random.chance(0.1)) runs.push(catchUp('team', { cut, feed, passages }));
      if (random.chance(0.3)) await null;
    }
    await Promise.all([...runs, catchUp('team', { cut, feed, passages })]);
    await catchUp('team', { cut, feed, passages: alone });
    expect(await rowsOf(passages)).toEqual(await rowsOf(alone));
    expect(await passages.cursor('team')).toBe(200);
  },
);

test('a feed that does not move on ends in an error, not in a loop', async () => {
  const passages = passageStoreInMemory();
  await passages.advanceCursor('team', 5);
  const feed: ItemFeed = { read: async () => ({ items: [feedItem(5, 'again')], headSeq: 9 }) };
  await expect(catchUp('team', { cut, feed, passages })).rejects.toMatchObject({ code: 'internal' });
});

test('a row has the fields that front matter and place give its item, and those that its text adds', async () => {
  const fields = fieldsOfItem({ rowKey: 'projects/sso/a.md', frontmatter: {}, changedOn: '2026-11-21' });
  const content = '# Login\n\nSuperseded by SAML.\nDate: 3 March 2026';
  const rows = await cut([
    feedItem(1, content, { fields }),
    feedItem(2, '', { fields }),
    feedItem(3, 'no fields'),
  ]);
  const [first, removed, without] = rows.map(({ json }) => passagesFromJson(json));
  expect(first?.fields).toEqual({
    date: '2026-03-03',
    status: '',
    isOutdated: true,
    project: 'sso',
    owner: '',
    tags: [],
  });
  expect(removed?.fields).toBeUndefined();
  expect(without?.fields).toBeUndefined();
});
