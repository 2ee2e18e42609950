import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { openContentStores } from '../../store/open-stores.ts';
import { itemDraft } from '../items/item.fixture.ts';
import { deleteItem } from '../items/items.ts';
import { pushItems } from '../items/push-items.ts';
import { createCursors } from './cursor.ts';
import { listFeed, listFeedJson, pageJson } from './feed-page.ts';
import { createFeedWriter } from './feed-writer.ts';

const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const operations = 120;
const rowKeys = [...'abcdefghijklmnopqrst'].map((letter) => `é/${letter}'".md`);
/** What a row may contain that looks like the members and marks between which rows are joined. */
const contents = [
  '"updated_at":"1970-01-01T00:00:00.001Z"',
  '},{',
  "it's 日本語 \u0000\u{1f600}",
  'x'.repeat(50_000),
];

describeEachEngine('a page as JSON', (engine) => {
  test('has the bytes of its rows read one by one, for every reader, size and place', {
    timeout: 60_000,
  }, async () => {
    const stores = await openContentStores(engine.storage());
    const random = seededRandom(7);
    let nowMs = 1_795_000_000_000;
    let joinedPages = 0;
    let timedPages = 0;
    const feed: typeof stores.items = {
      ...stores.items,
      async joinedPage(...range) {
        const joined = await stores.items.joinedPage(...range);
        if (joined !== undefined) joinedPages += 1;
        if (joined?.times !== undefined) timedPages += 1;
        return joined;
      },
    };
    const writer = createFeedWriter({ feed, clock: () => nowMs, history: 3 });
    const write = async () => {
      const rowKey = random.pick(rowKeys);
      if (random.chance(0.1)) return deleteItem({ writer }, 'team', ada, rowKey).catch(() => undefined);
      const checksum = `sha256:${random.bits().toString(16).padStart(64, '0')}`;
      const tier = random.chance(0.5) ? 'team' : 'external';
      return pushItems({ writer }, 'team', ada, [
        itemDraft({ rowKey, tier, checksum, content: random.pick(contents) }),
      ]);
    };
    const dependencies = { feed, cursors: createCursors(stores.cursorSecret) };
    for (let written = 0; written < operations; written += 10) {
      nowMs += random.integerBelow(3);
      await Promise.all(Array.from({ length: 10 }, write));
      for (const tier of ['team', 'external'] as const) {
        for (const includeDeleted of [true, false]) {
          const limit = random.pick([1, 3, 7, 50, 200]);
          let cursor = '';
          for (let hasMore = true; hasMore; ) {
            const query = { sinceMs: undefined, cursor, limit, includeDeleted };
            const { rows, ...expected } = await listFeed(
              dependencies,
              'items',
              { teamId: 'team', tier },
              query,
            );
            const page = await listFeedJson(
              dependencies,
              'items',
              { teamId: 'team', tier },
              query,
              'row_key',
            );
            const { rowsJson, answerJson, ...found } = page;
            expect(Buffer.from(rowsJson).toString()).toBe(Buffer.from(pageJson(rows)).toString());
            expect(found).toEqual(expected);
            expect(JSON.parse(Buffer.from(answerJson).toString())).toEqual({
              items: JSON.parse(Buffer.from(rowsJson).toString()),
              next_cursor: expected.nextCursor,
              has_more: expected.hasMore,
            });
            ({ nextCursor: cursor, hasMore } = page);
          }
        }
      }
    }
    // The comparison is worth running: rows are joined as often as not, and given other times.
    if (engine.name === 'sqlite') expect(Math.min(joinedPages, timedPages)).toBeGreaterThan(50);
    await stores.close();
  });
});
