import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createCursors } from './cursor.ts';
import { listFeed, type PageQuery } from './feed-page.ts';
import { storedRow } from './feed-row.fixture.ts';
import type { FeedRow } from './feed-row.ts';
import type { RowFilter } from './filtered-page.ts';

const team = 'team';
const first: PageQuery = { sinceMs: undefined, cursor: '', limit: 0, includeDeleted: false };

/** Accepts rows whose JSON contains a word. */
const saying = (word: string): RowFilter => ({
  name: word,
  accepts: (json) => Buffer.from(json).includes(`"${word}"`),
});
const rowSaying = (word: string, seq: number, changed: Partial<FeedRow> = {}) =>
  storedRow(`${seq}`, seq, { json: Buffer.from(JSON.stringify({ word })), ...changed });

function pagesOf(stores: () => ContentStores) {
  const list = (query: PageQuery, tier: Tier = 'team') => {
    const cursors = createCursors(stores().cursorSecret);
    return listFeed({ feed: stores().tasks, cursors }, 'tasks', { teamId: team, tier }, query);
  };
  return {
    list,
    /** Appends rows to an empty feed. */
    async write(rows: FeedRow[]) {
      const changes = rows.map((row) => ({ row, previous: undefined }));
      expect(await stores().tasks.append(team, changes, 0)).toBe(rows.length);
    },
    /** Follows the cursor until there is no more; returns the keys of each page. */
    async follow(query: PageQuery, tier: Tier = 'team') {
      const pages: string[][] = [];
      for (let cursor = query.cursor; ; ) {
        const { rows, nextCursor, hasMore } = await list({ ...query, cursor }, tier);
        pages.push(rows.map(({ rowKey }) => rowKey));
        cursor = nextCursor;
        if (!hasMore) return { pages, cursor };
      }
    },
  };
}

describeEachEngine('a filtered page', (engine) => {
  let stores: ContentStores;
  const { list, write, follow } = pagesOf(() => stores);
  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  test('has what fits, in the order of change, over as many pages as there are', async () => {
    await write(Array.from({ length: 14 }, (_, index) => rowSaying(index % 2 ? 'yes' : 'no', index + 1)));
    const { pages } = await follow({ ...first, limit: 3, filter: saying('yes') });
    expect(pages).toEqual([['2', '4', '6'], ['8', '10', '12'], ['14']]);
    expect((await follow({ ...first, limit: 7, filter: saying('yes') })).pages).toHaveLength(1);
    expect((await follow({ ...first, sinceMs: 9, filter: saying('yes') })).pages).toEqual([
      ['10', '12', '14'],
    ]);
    expect((await follow({ ...first, filter: saying('none') })).pages).toEqual([[]]);
  });

  test('is followed by what fits later, and tells nothing of what no longer does, or is gone', async () => {
    await write([rowSaying('yes', 1), rowSaying('no', 2), rowSaying('yes', 3)]);
    const { cursor } = await follow({ ...first, filter: saying('yes') });
    const find = async (key: string) => (await stores.tasks.find(team, [key])).get(key);
    const changes = [
      { row: rowSaying('no', 4, { rowKey: '1', revision: 2 }), previous: await find('1') },
      { row: rowSaying('yes', 5, { rowKey: '2', revision: 2 }), previous: await find('2') },
      { row: rowSaying('yes', 6, { rowKey: '3', revision: 2, deleted: true }), previous: await find('3') },
    ];
    expect(await stores.tasks.append(team, changes, 0)).toBe(3);
    expect((await follow({ ...first, cursor, filter: saying('yes') })).pages).toEqual([['2']]);
    const query = { ...first, includeDeleted: true, filter: saying('yes') };
    expect((await follow(query)).pages).toEqual([['2']]);
  });

  test('shows an external key what it may see, as if there were nothing else', async () => {
    const open = { tier: 'external' } as const;
    await write([
      ...[rowSaying('yes', 1), rowSaying('no', 2, open), rowSaying('yes', 3, open)],
      ...[rowSaying('yes', 4, { externalAtMs: 4 }), rowSaying('yes', 5, open), rowSaying('yes', 6)],
    ]);
    const query = { ...first, limit: 1, filter: saying('yes') };
    expect((await follow(query, 'external')).pages).toEqual([['3'], ['5']]);
    expect(await list({ ...query, limit: 2 }, 'external')).toMatchObject({ hasMore: false });
  });

  test('has a cursor of its own', async () => {
    await write([rowSaying('yes', 1), rowSaying('yes', 2)]);
    const cursorOf = async (query: object) => (await list({ ...first, limit: 1, ...query })).nextCursor;
    const queries = [{}, { filter: saying('yes') }, { filter: saying('no') }];
    for (const query of queries) {
      for (const other of queries) {
        const page = list({ ...first, cursor: await cursorOf(query), ...other });
        if (query === other) expect(await page).toMatchObject({ hasMore: false });
        else await expect(page).rejects.toMatchObject({ code: 'invalid_cursor' });
      }
    }
  });
});

describe('a filtered page of a large feed', () => {
  test('is short or empty where few rows fit, and the next one goes on without a hole', async () => {
    const directory = await temporaryDirectory();
    const stores = await openContentStores({ engine: 'sqlite', directory: directory.path });
    const { write, follow } = pagesOf(() => stores);
    const fitting = new Set([1, 9_999, 10_000, 10_001, 20_000, 25_000]);
    const open = { tier: 'external' } as const;
    await write(
      Array.from({ length: 25_000 }, (_, index) =>
        rowSaying(fitting.has(index + 1) ? 'yes' : 'no', index + 1, index % 2 ? {} : open),
      ),
    );
    const query = { ...first, limit: 200, filter: saying('yes') };
    expect((await follow(query)).pages).toEqual([['1', '9999', '10000'], ['10001', '20000'], ['25000']]);
    expect((await follow({ ...query, limit: 3 })).pages).toEqual([
      ['1', '9999', '10000'],
      ['10001', '20000'],
      ['25000'],
    ]);
    // Only rows that the key sees are looked through, so rows out of its sight make no page shorter.
    expect((await follow(query, 'external')).pages).toEqual([['1', '9999', '10001'], []]);
    await stores.close();
    await directory.remove();
  });

  test('ends with the row that makes it large, and holds only some rows in memory at once', async () => {
    const directory = await temporaryDirectory();
    const stores = await openContentStores({ engine: 'sqlite', directory: directory.path });
    const { write, follow } = pagesOf(() => stores);
    const large = (word: string) => ({
      json: Buffer.from(JSON.stringify({ word, text: 'x'.repeat(600_000) })),
    });
    await write(
      Array.from({ length: 60 }, (_, index) => rowSaying('', index + 1, large(index % 3 ? 'no' : 'yes'))),
    );
    const { pages } = await follow({ ...first, limit: 200, filter: saying('yes') });
    // A chunk ends with its second row, so a page looks through forty.
    expect(pages.map(({ length }) => length)).toEqual([13, 7]);
    await stores.close();
    await directory.remove();
  });
});
