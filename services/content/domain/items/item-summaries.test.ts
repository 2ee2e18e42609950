import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { maxPageBytes } from '../feed/feed-page.ts';
import { storedRow } from '../feed/feed-row.fixture.ts';
import { readItemSummaries } from './item-summaries.ts';

describeEachEngine('items by name', (engine) => {
  let stores: ContentStores;
  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  const put = async (rowKeys: readonly string[], characters = 0) => {
    const changes = rowKeys.map((row_key, index) => {
      const json = Buffer.from(JSON.stringify({ row_key, content: 'x'.repeat(characters) }));
      return { row: storedRow(row_key, index + 1, { json }), previous: undefined };
    });
    expect(await stores.items.append('team', changes, 0)).toBe(changes.length);
  };
  const read = async (rowKeys: readonly string[]) => {
    const reader = { teamId: 'team', tier: 'team' } as const;
    const { items, unread } = await readItemSummaries(stores.items, reader, rowKeys);
    return { names: items.map((json) => JSON.parse(Buffer.from(json).toString()).row_key), unread };
  };

  test('come once each, in order, without those that are not there', async () => {
    await put(['b.md', 'a.md', '😀.md', 'ﬁ.md']);
    const rowKeys = ['😀.md', 'b.md', 'ﬁ.md', 'none.md', 'b.md', 'a.md'];
    expect(await read(rowKeys)).toEqual({ names: ['a.md', 'b.md', 'ﬁ.md', '😀.md'], unread: [] });
    expect(await read([])).toEqual({ names: [], unread: [] });
  });

  test('that are too large for one answer are named, and come when they are asked for again', async () => {
    const rowKeys = ['a.md', 'b.md', 'c.md', 'd.md'];
    await put(rowKeys, Math.ceil(maxPageBytes / 2));
    const { names, unread } = await read(rowKeys.toReversed());
    expect(unread.length).toBeGreaterThan(0);
    expect([...names, ...unread]).toEqual(rowKeys);
    expect((await read(unread)).names).toEqual(unread);
  });

  test('are at most 200 at once', async () => {
    await expect(read(Array(201).fill('a.md'))).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
