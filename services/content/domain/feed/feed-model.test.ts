import type { AppError } from '@teammemory/errors/app-error.ts';
import { modelRuns, modelTimeoutMs } from '@teammemory/testkit/environment.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { eraseItem } from '../items/erase-item.ts';
import { checksumOf, itemDraft } from '../items/item.fixture.ts';
import type { ItemAuthor } from '../items/item.ts';
import { deleteItem } from '../items/items.ts';
import { pushItems } from '../items/push-items.ts';
import { createCursors } from './cursor.ts';
import { listFeed } from './feed-page.ts';
import type { FeedStore } from './feed-store.ts';
import { createFeedWriter, type FeedWriter } from './feed-writer.ts';

const tiers = ['team', 'external'] as const;
const rowKeys = ['a.md', 'b.md', 'c.md', 'd.md'] as const;
/** More rows than one page has. */
const pageLimits = { min: 1, max: 3 };

let stores: ContentStores;
let teams = 0;
let cleanUp: () => Promise<void>;

beforeAll(async () => {
  const directory = await temporaryDirectory();
  stores = await openContentStores({ engine: 'sqlite', directory: directory.path });
  cleanUp = async () => {
    await stores.close();
    await directory.remove();
  };
});
afterAll(() => cleanUp());
// Where two writers collide, they go on at once, so that an order of steps can be taken again.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

type Change =
  | { kind: 'push'; by: Tier; rowKey: string; tier: Tier; text: string }
  | { kind: 'remove' | 'erase'; by: Tier; rowKey: string };

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      by: fc.constantFrom('team', 'team', 'external'),
      rowKey: fc.constantFrom(...rowKeys),
      tier: fc.constantFrom(...tiers),
      text: fc.constantFrom('1', '2', '3'),
    }) as fc.Arbitrary<Change>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'erase' as const),
      by: fc.constantFrom(...tiers),
      rowKey: fc.constantFrom(...rowKeys),
    }),
  },
);

/** What is there, by key: all that a feed is about. */
type Model = Map<string, { tier: Tier; text: string }>;

/** Changes the model; returns whether the change is refused, or finds nothing. */
function changeModel(model: Model, one: Change): boolean {
  const live = model.get(one.rowKey);
  const isSeen = live !== undefined && (one.by === 'team' || live.tier === 'external');
  if (one.kind !== 'push') return isSeen && !model.delete(one.rowKey);
  const isAllowed = one.by === 'team' || (one.tier === 'external' && (live === undefined || isSeen));
  if (isAllowed) model.set(one.rowKey, { tier: one.tier, text: one.text });
  return !isAllowed;
}

const seenBy = (model: Model, tier: Tier) =>
  Object.fromEntries(
    [...model]
      .filter(([, row]) => tier === 'team' || row.tier === 'external')
      .map(([rowKey, { text }]) => [rowKey, checksumOf(text)])
      .sort(),
  );

/** Who follows the feed page by page, and keeps what it was told. */
interface Follower {
  tier: Tier;
  cursor: string;
  rows: Map<string, string>;
}

const newFollower = (tier: Tier): Follower => ({ tier, cursor: '', rows: new Map() });
const toldTo = ({ rows }: Follower) => Object.fromEntries([...rows].sort());

/** A team of its own, in the same file. */
class Feed {
  readonly teamId: string;
  readonly model: Model = new Map();
  readonly followers = [newFollower('team'), newFollower('external')];
  readonly #feed: FeedStore;
  readonly #writers: FeedWriter[];
  nowMs = 1_795_000_000_000;

  constructor(feed: FeedStore = stores.items) {
    teams += 1;
    this.teamId = `team-${teams}`;
    this.#feed = feed;
    // As two processes have them.
    this.#writers = [0, 1].map(() => createFeedWriter({ feed, clock: () => this.nowMs, history: 2 }));
  }

  /** Returns whether it was refused. */
  async take(one: Change, process = 0): Promise<boolean> {
    const { by: tier, rowKey } = one;
    const by: ItemAuthor = { tier, handle: tier, memberId: tier };
    const writer = this.#writers[process] as FeedWriter;
    if (one.kind === 'push') {
      const draft = itemDraft({ rowKey, tier: one.tier, content: one.text, checksum: checksumOf(one.text) });
      return (await pushItems({ writer }, this.teamId, by, [draft])).refusals.length > 0;
    }
    const noted = (erasure: () => Promise<void>) => erasure();
    const projection = { catchUp: async () => undefined };
    const act =
      one.kind === 'remove'
        ? deleteItem({ writer }, this.teamId, by, rowKey)
        : eraseItem({ items: this.#feed, writer, projection, noted } as never, this.teamId, by, rowKey);
    // There never was one that this author may know of.
    await act.catch((error) =>
      expect(error).toMatchObject({ code: 'not_found' } satisfies Partial<AppError>),
    );
    return false;
  }

  /** Reads one page; returns whether there are more. */
  async pull(follower: Follower, limit: number): Promise<boolean> {
    const { tier, cursor } = follower;
    const cursors = createCursors(stores.cursorSecret);
    const query = { sinceMs: undefined, cursor, limit, includeDeleted: true };
    const reader = { teamId: this.teamId, tier };
    const page = await listFeed({ feed: this.#feed, cursors }, 'items', reader, query);
    for (const { rowKey, deleted, json } of page.rows) {
      if (deleted) {
        follower.rows.delete(rowKey);
        continue;
      }
      const row = JSON.parse(Buffer.from(json).toString());
      follower.rows.set(rowKey, row.checksum);
      if (tier === 'external') expect(row.tier).toBe('external');
    }
    follower.cursor = page.nextCursor;
    return page.hasMore;
  }

  async pullAll(follower: Follower, limit: number): Promise<Record<string, string>> {
    while (await this.pull(follower, limit));
    return toldTo(follower);
  }
}

type Command = fc.AsyncCommand<Model, Feed>;

const command = (name: string, run: Command['run']): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

const changes = change.map((one) =>
  command(JSON.stringify(one), async (model, feed) => {
    expect(await feed.take(one)).toBe(changeModel(model, one));
  }),
);

const limit = fc.integer(pageLimits);

const pulls = fc.tuple(fc.nat(1), limit).map(([who, rows]) =>
  command(`pull ${rows} by ${tiers[who]}`, async (model, feed) => {
    const follower = feed.followers[who] as Follower;
    const isBehind = await feed.pull(follower, rows);
    if (!isBehind) expect(toldTo(follower)).toEqual(seenBy(model, follower.tier));
  }),
);

/** The clock of a machine may go back. */
const waits = fc.integer({ min: -3, max: 5 }).map((ms) =>
  command(`${ms} ms`, async (_, feed) => {
    feed.nowMs += ms;
  }),
);

const commands = modelRuns(150);
test(`in ${commands.numRuns} histories every follower is told what its tier may see, and nothing else`, {
  timeout: modelTimeoutMs(commands),
}, async () => {
  const all = [changes, changes, pulls, waits];
  await fc.assert(
    fc.asyncProperty(fc.commands(all, { maxCommands: 40 }), limit, async (history, rows) => {
      const feed = new Feed();
      await fc.asyncModelRun(() => ({ model: feed.model, real: feed }), history);
      for (const tier of tiers) {
        const expected = seenBy(feed.model, tier);
        for (const follower of [...feed.followers.filter((each) => each.tier === tier), newFollower(tier)])
          expect(await feed.pullAll(follower, rows), tier).toEqual(expected);
      }
    }),
    commands,
  );
});

/** The store of a feed whose answers come in the order that a scheduler chooses. */
function scheduled(feed: FeedStore, scheduler: fc.Scheduler): FeedStore {
  const { head, find, append, page, newestAtMs } = feed;
  const slow = { head, find, append, page, newestAtMs } as Record<
    string,
    (...query: never[]) => Promise<unknown>
  >;
  for (const [name, method] of Object.entries(slow)) slow[name] = scheduler.scheduleFunction(method);
  return { ...feed, ...slow };
}

const orders = modelRuns(60);
test(`in ${orders.numRuns} orders of the steps of two writers and two readers, no reader misses a change`, {
  timeout: modelTimeoutMs(orders),
}, async () => {
  const rounds = fc.array(fc.array(change, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), rounds, limit, async (scheduler, all, rows) => {
      const feed = new Feed(scheduled(stores.items, scheduler));
      for (const round of all) {
        const writes = round.map((one, index) => feed.take(one, index % 2));
        const reads = feed.followers.map((follower) => feed.pull(follower, rows));
        await scheduler.waitFor(Promise.all([...writes, ...reads]));
        feed.nowMs += 1;
      }
      for (const follower of feed.followers) {
        const told = await scheduler.waitFor(feed.pullAll(follower, rows));
        const anew = await scheduler.waitFor(feed.pullAll(newFollower(follower.tier), rows));
        expect(told, follower.tier).toEqual(anew);
      }
    }),
    orders,
  );
});
