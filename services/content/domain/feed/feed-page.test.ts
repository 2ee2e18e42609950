import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { checksumOf, itemDraft } from '../items/item.fixture.ts';
import type { ItemDraft } from '../items/item.ts';
import { deleteItem } from '../items/items.ts';
import { pushItems } from '../items/push-items.ts';
import { createCursors } from './cursor.ts';
import { jsonArray, listFeed, type PageQuery, pageJson, type Reader } from './feed-page.ts';
import { createFeedWriter, type FeedWriter } from './feed-writer.ts';

const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const teamReader = { teamId: 'team', tier: 'team' } as const;
const externalReader = { teamId: 'team', tier: 'external' } as const;
const first: PageQuery = { sinceMs: undefined, cursor: '', limit: 0, includeDeleted: false };
const withDeleted = { ...first, includeDeleted: true };

describeEachEngine('the item feed', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20 });
  });
  afterEach(() => stores.close());

  const push = (...drafts: Partial<ItemDraft>[]) => pushItems({ writer }, 'team', ada, drafts.map(itemDraft));
  const pushMany = (count: number) =>
    push(...Array.from({ length: count }, (_, index) => ({ rowKey: `${index}.md`, tier: 'external' })));
  const list = (query: PageQuery, reader: Reader = teamReader) =>
    listFeed({ feed: stores.items, cursors: createCursors(stores.cursorSecret) }, 'items', reader, query);
  const read = async (query: PageQuery, reader: Reader = externalReader) =>
    JSON.parse(Buffer.from(pageJson((await list(query, reader)).rows)).toString());

  test('external keys know a row by the time that it has for them, on the page, in cursors and by since', async () => {
    const hidden = Array.from({ length: 5 }, (_, index) => ({ rowKey: `${index}.md` }));
    const text = '"updated_at":"1970-01-01T00:00:00.000Z"';
    await push(
      ...hidden,
      { rowKey: 'a.md', tier: 'external', content: text },
      { rowKey: 'b.md', tier: 'external' },
    );
    const times = async (query: PageQuery) =>
      (await read(query)).map((row: { row_key: string; updated_at: string }) => row.updated_at);
    expect(await times(first)).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:01.001Z']);
    expect((await read(first))[0].content).toBe(text);
    expect(await times({ ...first, sinceMs: 1_000 })).toEqual(['1970-01-01T00:00:01.001Z']);
    const { nextCursor } = await list({ ...first, limit: 1 }, externalReader);
    expect(await times({ ...first, cursor: nextCursor })).toEqual(['1970-01-01T00:00:01.001Z']);
    // Team keys know the same rows by the time that these have among all.
    const ofTeam = (await read(first, teamReader)).map(
      ({ updated_at }: { updated_at: string }) => updated_at,
    );
    expect(ofTeam.slice(-2)).toEqual(['1970-01-01T00:00:01.005Z', '1970-01-01T00:00:01.006Z']);
    expect(
      (await stores.items.readFrom('team', 6, { limit: 1 })).map(({ json }) => `${Buffer.from(json)}`),
    ).toEqual([expect.stringContaining('"updated_at":"1970-01-01T00:00:01.001Z"')]);
  });

  test('a page of large items is cut, and the next one goes on where it ended', async () => {
    const content = 'x'.repeat(1_000_000);
    await push(...Array.from({ length: 10 }, (_, index) => ({ rowKey: `${index}.md`, content })));
    const page = await list(first);
    expect([page.rows.length, page.hasMore]).toEqual([8, true]);
    const rest = await list({ ...first, cursor: page.nextCursor });
    expect([rest.rows.map(({ rowKey }) => rowKey), rest.hasMore]).toEqual([['8.md', '9.md'], false]);
  });

  test('a page has 50 rows unless asked otherwise, and never more than 200', async () => {
    await pushMany(200);
    await push({ rowKey: 'one-more.md' });
    const sizes: [number, number][] = [
      [0, 50],
      [7, 7],
      [200, 200],
      [201, 200],
      [4_294_967_295, 200],
    ];
    for (const [limit, size] of sizes) {
      expect(await list({ ...first, limit })).toMatchObject({ rows: { length: size }, hasMore: true });
    }
  });

  test('cursors lead through all rows, and the last goes on with what comes later', async () => {
    await pushMany(5);
    const seen: string[] = [];
    let page = await list({ ...first, limit: 2 });
    for (;;) {
      seen.push(...page.rows.map(({ rowKey }) => rowKey));
      if (!page.hasMore) break;
      page = await list({ ...first, limit: 2, cursor: page.nextCursor });
    }
    expect(seen).toEqual(['0.md', '1.md', '2.md', '3.md', '4.md']);
    const atTheEnd = await list({ ...first, cursor: page.nextCursor });
    expect(atTheEnd).toMatchObject({ rows: [], nextCursor: page.nextCursor, hasMore: false });
    await push({ rowKey: 'later.md' });
    const later = await list({ ...first, cursor: atTheEnd.nextCursor });
    expect(later.rows.map(({ rowKey }) => rowKey)).toEqual(['later.md']);
  });

  test('an empty feed has a cursor as well', async () => {
    const { nextCursor } = await list(first);
    expect(nextCursor).not.toBe('');
    await push({});
    expect((await list({ ...first, cursor: nextCursor })).rows).toHaveLength(1);
  });

  test('since is exclusive, and may lie before all time', async () => {
    await pushMany(3);
    expect((await list({ ...first, sinceMs: 1_001 })).rows.map(({ rowKey }) => rowKey)).toEqual(['2.md']);
    expect((await list({ ...first, sinceMs: -1 })).rows).toHaveLength(3);
  });

  test('a cursor wins over since', async () => {
    await pushMany(3);
    const { nextCursor } = await list({ ...first, limit: 1 });
    expect((await list({ ...first, sinceMs: 9_999, cursor: nextCursor })).rows).toHaveLength(2);
  });

  test('a cursor of a team key is refused from an external key', async () => {
    const { nextCursor } = await list(first);
    await expect(list({ ...first, cursor: nextCursor }, externalReader)).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  test('a removed row is its identity and time, and only for those who ask', async () => {
    await push({ tier: 'external' });
    await deleteItem({ writer }, 'team', ada, 'notes/a.md');
    expect(await read(first)).toEqual([]);
    expect(await read(withDeleted)).toEqual([
      { row_key: 'notes/a.md', updated_at: '1970-01-01T00:00:01.001Z', deleted: true },
    ]);
  });

  test('a hidden row leaves the sight of external keys at once, with one last sign of it', async () => {
    await push({ tier: 'external' });
    await push({ tier: 'team' });
    expect(await read(first)).toEqual([]);
    const { rows, nextCursor } = await list(withDeleted, externalReader);
    expect(rows).toMatchObject([{ rowKey: 'notes/a.md', atMs: 1_001, deleted: true }]);

    // Nothing that happens to it later is hinted at, not even that something happened.
    await push({ tier: 'team', checksum: checksumOf('b') });
    await deleteItem({ writer }, 'team', ada, 'notes/a.md');
    await push({ tier: 'team', checksum: checksumOf('c') });
    expect(await list({ ...withDeleted, cursor: nextCursor }, externalReader)).toEqual({
      rows: [],
      nextCursor,
      hasMore: false,
      newestMs: 1_001,
    });
    expect(await list(withDeleted, externalReader)).toMatchObject({ rows: [{ atMs: 1_001 }], nextCursor });
  });

  test('a row that was always internal leaves external keys no trace, its removal neither', async () => {
    await push({ tier: 'team' });
    await deleteItem({ writer }, 'team', ada, 'notes/a.md');
    expect(await read(withDeleted)).toEqual([]);
  });

  test('a hidden row that is shown again comes back', async () => {
    await push({ tier: 'external' });
    await push({ tier: 'team' });
    await push({ tier: 'external' });
    expect(await read(withDeleted)).toMatchObject([
      { row_key: 'notes/a.md', tier: 'external', updated_at: '1970-01-01T00:00:01.002Z' },
    ]);
  });
});

test.each([
  [[], '[]'],
  [['{"a":1}'], '[{"a":1}]'],
  [['1', '"é"', '{}'], '[1,"é",{}]'],
])('%j are joined to %s', (elements, json) => {
  expect(Buffer.from(jsonArray(elements.map((text) => Buffer.from(text)))).toString()).toBe(json);
});
