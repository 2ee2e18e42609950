import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import type { FeedRow } from '../domain/feed/feed-row.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

export const team = '01890000-0000-7000-8000-000000000001';
export const otherTeam = '01890000-0000-7000-8000-000000000002';
/** Versions kept of an item, unless a test is about them. */
export const history = 20;

/** Opens an empty store for each test of a suite, and writes rows into it. */
export function feedStoreOf(engine: Engine) {
  let stores: ContentStores;
  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  const feed: FeedStore = {
    head: (...query) => stores.items.head(...query),
    find: (...query) => stores.items.find(...query),
    read: (...query) => stores.items.read(...query),
    usage: (...query) => stores.items.usage(...query),
    recount: (...query) => stores.items.recount(...query),
    append: (...query) => stores.items.append(...query),
    page: (...query) => stores.items.page(...query),
    joinedPage: (...query) => stores.items.joinedPage(...query),
    pageStartingWith: (...query) => stores.items.pageStartingWith(...query),
    newestAtMs: (...query) => stores.items.newestAtMs(...query),
    readFrom: (...query) => stores.items.readFrom(...query),
    startingWith: (...query) => stores.items.startingWith(...query),
    keysStartingWith: (...query) => stores.items.keysStartingWith(...query),
    keyPage: (...query) => stores.items.keyPage(...query),
    readShown: (...query) => stores.items.readShown(...query),
    teamAfter: (...query) => stores.items.teamAfter(...query),
    removedStartingWith: (...query) => stores.items.removedStartingWith(...query),
    unerasedStartingWith: (...query) => stores.items.unerasedStartingWith(...query),
    dropVersions: (...query) => stores.items.dropVersions(...query),
    scrub: (...query) => stores.items.scrub(...query),
    versions: (...query) => stores.items.versions(...query),
  };

  /** Writes one row at the next position, over what is stored. */
  async function put(rowKey: string, changed: Partial<FeedRow> = {}, teamId = team): Promise<FeedRow> {
    const previous = (await feed.find(teamId, [rowKey])).get(rowKey);
    const { seq } = await feed.head(teamId);
    const revision = (previous?.revision ?? 0) + 1;
    const row = storedRow(rowKey, seq + 1, { revision, ...changed });
    expect(await feed.append(teamId, [{ row, previous }], history)).toBe(1);
    return row;
  }

  return { feed, put };
}
