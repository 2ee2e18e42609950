import { AppError } from '@teammemory/errors/app-error.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCursors } from './domain/feed/cursor.ts';
import { type FeedPage, listFeed } from './domain/feed/feed-page.ts';
import type { FeedStore } from './domain/feed/feed-store.ts';
import { createFeedWriter, type FeedWriter } from './domain/feed/feed-writer.ts';
import { checksumOf, itemDraft } from './domain/items/item.fixture.ts';
import type { ItemDraft } from './domain/items/item.ts';
import { pushItems } from './domain/items/push-items.ts';
import { type ContentStores, openContentStores } from './store/open-stores.ts';

const writers = 8;
const batchesPerWriter = 5;
const batchSizes = { sqlite: 50, mongodb: 10 };
const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const reader = { teamId: 'team', tier: 'team' } as const;
/** Limits for what hangs. SecantusDB takes seconds for these writes, and a loaded machine many times that. */
const limits = { followMs: 150_000, testMs: 160_000 };
const triesPerBatch = 20;

describeEachEngine('the item feed while many write', (engine) => {
  const batchSize = batchSizes[engine.name];
  const upserts = writers * batchesPerWriter * batchSize;
  let stores: ContentStores;
  let items: FeedStore;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    items = stores.items;
  });
  afterEach(async () => {
    await stores.close();
    const storage = engine.storage();
    // SecantusDB drops thousands of rows in seconds, and deletes them in one.
    if (storage.engine === 'mongodb') await storage.connection.db.collection('items').deleteMany({});
  });

  /** A process's writer. SQLite belongs to one process, so all of its writers are one there. */
  function processWriters(): [FeedWriter, FeedWriter] {
    const make = () => createFeedWriter({ feed: items, clock: Date.now, history: 2 });
    const first = make();
    return [first, engine.name === 'sqlite' ? first : make()];
  }

  /** What one client saw, version by version: the row and the time of each. */
  interface Follower {
    seen: { rowKey: string; atMs: number }[];
    readOn(): Promise<FeedPage>;
  }

  function follow(by: 'cursor' | 'since'): Follower {
    const seen: Follower['seen'] = [];
    let cursor = '';
    return {
      seen,
      async readOn() {
        const sinceMs = seen.at(-1)?.atMs;
        const from = by === 'cursor' ? { cursor, sinceMs: undefined } : { cursor: '', sinceMs };
        const page = await listFeed(
          { feed: items, cursors: createCursors(stores.cursorSecret) },
          'items',
          reader,
          {
            ...from,
            limit: 200,
            includeDeleted: true,
          },
        );
        cursor = page.nextCursor;
        seen.push(...page.rows.map(({ rowKey, atMs }) => ({ rowKey, atMs })));
        return page;
      },
    };
  }

  /** Pushes as a client does: what was refused because the store was too slow is pushed again, and is a no-op then. */
  async function push(writer: FeedWriter, drafts: ItemDraft[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        expect(await pushItems({ writer }, 'team', ada, drafts)).toMatchObject({ accepted: drafts.length });
        return;
      } catch (error) {
        const isOutage = error instanceof AppError && error.code === 'unavailable';
        if (!isOutage || tries === triesPerBatch) throw error;
      }
    }
  }

  async function followUntilTheEnd(follower: Follower, writing: Promise<unknown>): Promise<void> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    writing.then(end, end);
    await eventually(
      'the end of the feed',
      async () => {
        const wasOver = isOver;
        while ((await follower.readOn()).hasMore);
        return wasOver;
      },
      { withinMs: limits.followMs, everyMs: 300 },
    );
  }

  test('shows every follower every row, none twice, in one order', { timeout: limits.testMs }, async () => {
    const processes = processWriters();
    const write = async (number: number) => {
      const writer = processes[number % 2] as FeedWriter;
      for (let batch = 0; batch < batchesPerWriter; batch += 1) {
        const drafts = Array.from({ length: batchSize }, (_, index) =>
          itemDraft({ rowKey: `${number}/${batch}/${index}.md` }),
        );
        await push(writer, drafts);
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, (_, number) => write(number)));
    const followers = (['cursor', 'cursor', 'since', 'since'] as const).map(follow);
    await Promise.all([writing, ...followers.map((follower) => followUntilTheEnd(follower, writing))]);

    const stored = await readWhole();
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: upserts }, (_, index) => index + 1));
    const written = stored.map(({ rowKey, updatedAtMs }) => ({ rowKey, atMs: updatedAtMs }));
    expect(written).toEqual(written.toSorted((a, b) => a.atMs - b.atMs));
    expect(new Set(written.map(({ atMs }) => atMs)).size).toBe(upserts);
    for (const { seen } of followers) expect(seen).toEqual(written);
  });

  test('shows every follower the last version of rows that many change', {
    timeout: limits.testMs,
  }, async () => {
    const processes = processWriters();
    const write = async (number: number) => {
      const writer = processes[number % 2] as FeedWriter;
      for (let round = 0; round < 5; round += 1) {
        const checksum = checksumOf(((number + round) % 16).toString(16));
        const drafts = [0, 1, 2].map((index) => itemDraft({ rowKey: `${index}.md`, checksum }));
        await push(writer, drafts);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(write));
    const followers = (['cursor', 'since'] as const).map(follow);
    await Promise.all([writing, ...followers.map((follower) => followUntilTheEnd(follower, writing))]);

    const stored = new Map((await readWhole()).map(({ rowKey, updatedAtMs }) => [rowKey, updatedAtMs]));
    for (const { seen } of followers) {
      expect(new Map(seen.map(({ rowKey, atMs }) => [rowKey, atMs]))).toEqual(stored);
      expect(new Set(seen.map(({ atMs }) => atMs)).size).toBe(seen.length);
    }
  });

  test('shows what a writer wrote that stalled after it had read the head', async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const stalling: FeedStore = {
      ...items,
      async append(...change) {
        reached.resolve();
        await held.promise;
        return items.append(...change);
      },
    };
    const stalled = createFeedWriter({ feed: stalling, clock: () => 1_000, history: 2 });
    const pushing = pushItems({ writer: stalled }, 'team', ada, [
      itemDraft({ rowKey: 'stalled-1.md' }),
      itemDraft({ rowKey: 'stalled-2.md' }),
    ]);
    await reached.promise;

    // Meanwhile another process takes those positions and leaves them again, and clients read past them.
    const [writer] = processWriters();
    const followers = (['cursor', 'since'] as const).map(follow);
    for (const digit of '12345') {
      await pushItems({ writer }, 'team', ada, [itemDraft({ checksum: checksumOf(digit) })]);
      for (const follower of followers) await follower.readOn();
    }
    held.resolve();
    expect(await pushing).toMatchObject({ written: 2 });
    for (const { readOn, seen } of followers) {
      await readOn();
      expect(seen.map(({ rowKey }) => rowKey)).toEqual([
        ...Array(5).fill('notes/a.md'),
        'stalled-1.md',
        'stalled-2.md',
      ]);
    }
    expect((await readWhole()).map(({ seq }) => seq)).toEqual([5, 6, 7]);
  });

  test.each(['head', 'find', 'newestAtMs'] as const)(
    'shows what a writer wrote whose row another process changed after %s was read',
    async (read) => {
      const [writer] = processWriters();
      await pushItems({ writer }, 'team', ada, [itemDraft({ checksum: checksumOf('1') })]);
      const followers = (['cursor', 'since'] as const).map(follow);
      let isFirst = true;
      async function interrupted(...given: unknown[]): Promise<unknown> {
        const found = await (items[read] as (...given: unknown[]) => Promise<unknown>)(...given);
        if (!isFirst) return found;
        isFirst = false;
        await pushItems({ writer }, 'team', ada, [itemDraft({ checksum: checksumOf('2') })]);
        for (const { readOn } of followers) await readOn();
        return found;
      }
      const late = createFeedWriter({
        feed: { ...items, [read]: interrupted },
        clock: () => 1_000,
        history: 2,
      });
      await pushItems({ writer: late }, 'team', ada, [
        itemDraft({ checksum: checksumOf('3') }),
        itemDraft({ rowKey: 'notes/b.md' }),
      ]);
      for (const { readOn, seen } of followers) {
        await readOn();
        expect(seen.map(({ rowKey }) => rowKey)).toEqual(['notes/a.md', 'notes/a.md', 'notes/b.md']);
      }
      expect((await readWhole()).map(({ seq }) => seq)).toEqual([3, 4]);
    },
  );

  async function readWhole() {
    const rows = [];
    for (;;) {
      const page = await items.readFrom('team', rows.at(-1)?.seq ?? 0, { limit: 200 });
      if (page.length === 0) return rows;
      rows.push(...page);
    }
  }
});
