import { AppError } from '@teammemory/errors/app-error.ts';
import type { FeedItem, ItemFeed } from '../passages/item-feed.ts';
import type { Tier } from '../passages/passage.ts';
import type { ChangesPage, PassageStore, StoredItem } from '../passages/passage-store.ts';
import { storedItem } from '../passages/passages-json.ts';
import { catchUp } from '../passages/projection.ts';
import { createFreshRuns } from '../waiting/fresh-runs.ts';
import { unlessAborted } from '../waiting/unless-aborted.ts';
import {
  type IndexCoverage,
  type IndexHost,
  IndexHostEnded,
  type SearchRequest,
  type SearchResult,
} from './index-host.ts';
import { createSearchQueue, type SearchQueueLimits } from './search-queue.ts';

/** Rows that are read and handed to the index at once: some milliseconds of the event loop. */
export const pageOfChanges: ChangesPage = { rows: 500, characters: 2 ** 20 };
/** An index may be dropped between being brought up to date and being searched; the next attempt finds it as a rule. */
const maxAttempts = 3;
/** Teams of which it is remembered that their index is up to date; forgetting them costs a call each. */
const maxKnownPositions = 10_000;

/** Whose view of which team. */
export interface Viewer {
  teamId: string;
  tier: Tier;
}

/** What teams know, as their members may see it. */
export interface Memory {
  /**
   * Searches the viewer's view, which shows every item that was acknowledged before the call. `vectorOf` gives the
   * vector of the question; it is asked where the view has vectors.
   * @throws the signal's reason when it aborts, AppError `unavailable` when the feed, the store or the index does not
   *   answer in time, or too much waits.
   */
  search(
    viewer: Viewer,
    request: Omit<SearchRequest, 'tier' | 'vector'>,
    waiting: { signal: AbortSignal; vectorOf?: () => Promise<Float32Array | undefined> },
  ): Promise<SearchResult>;
  /**
   * Brings what is stored of a team up to date with its feed, and its index, for
   * nobody in particular: an index that is not in memory is made only where
   * there is room for it. Questions share the work.
   * @throws AppError `unavailable` as `search` does.
   */
  follow(teamId: string): Promise<void>;
  /** How much of a team's passages can be searched, those included whose push was acknowledged before the call. Throws as `search`. */
  coverage(teamId: string, signal: AbortSignal): Promise<IndexCoverage>;
  /** Breaks off what is under way and waits for its end. To be called once, after the last call. */
  close(): Promise<void>;
}

/** Told what becomes of indexes. */
export interface IndexWatch {
  /** A team's index was built from all its rows. */
  built(teamId: string, milliseconds: number): void;
  /** An item could not be cut into passages, and is not found until it changes. */
  refused(teamId: string, rowKey: string): void;
}

/** Makes the memory over a host of indexes. */
export function createMemory(parts: {
  feed: ItemFeed;
  passages: PassageStore;
  host: IndexHost;
  indexWatch?: IndexWatch;
  /** Runs each catch-up of a team, which answers how many positions of the feed it went on by. */
  watch?: (teamId: string, work: () => Promise<number>) => Promise<number>;
  queueLimits?: SearchQueueLimits;
}): Memory {
  const { passages, host, indexWatch, watch = (_teamId, work) => work() } = parts;
  const queue = createSearchQueue(parts.queueLimits);
  const closing = new AbortController();
  const { signal } = closing;
  /** Teams that a question waits for. */
  const asked = new Set<string>();
  /** How far indexes have come that were in memory when last heard of. */
  const positions = new Map<string, number>();

  const fresh = createFreshRuns(async (teamId) => {
    const isAsked = asked.delete(teamId);
    const cut = (items: readonly FeedItem[]) => cutItems(teamId, items);
    await watch(teamId, () => catchUp(teamId, { ...parts, cut, signal }));
    signal.throwIfAborted();
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      // What nobody asked for may find no room.
      if ((await takeOver(teamId, isAsked)) || !isAsked) return;
    }
    throw crowdedOut();
  });

  /**
   * Cuts items; one under which the host ends is kept without passages, so that it is not tried again until it changes.
   */
  async function cutItems(teamId: string, items: readonly FeedItem[]): Promise<readonly StoredItem[]> {
    try {
      return await host.cut(teamId, items);
    } catch (error) {
      if (!(error instanceof IndexHostEnded && error.teamId === teamId)) throw error;
      const [only, ...others] = items;
      if (only === undefined || others.length > 0)
        return (await Array.fromAsync(items, (item) => cutItems(teamId, [item]))).flat();
      indexWatch?.refused(teamId, only.rowKey);
      return [storedItem({ ...only, passages: [] })];
    }
  }

  /** Takes over what has changed; false where the index was dropped meanwhile. */
  async function takeOver(teamId: string, isAsked: boolean): Promise<boolean> {
    const startedMs = performance.now();
    const cursor = await passages.cursor(teamId);
    const known = positions.get(teamId);
    const start = known ?? (await host.open(teamId, { cursor, asked: isAsked }))?.position;
    if (start === undefined) return true;
    // Reads on beyond the cursor: a row changed meanwhile has moved there, and would be missed. But
    // what is there may still have gaps, so the position, from where the next reading starts, stays behind.
    for (let after = start; ; ) {
      const rows = await passages.changesAfter(teamId, after, pageOfChanges);
      signal.throwIfAborted();
      const isLast = rows.length === 0;
      const position = isLast ? cursor : undefined;
      const isKnown = isLast && cursor <= (known ?? -1);
      if (!isKnown && !(await host.apply(teamId, rows, position))) {
        positions.delete(teamId);
        return false;
      }
      if (isLast) break;
      after = rows.at(-1)?.seq ?? after;
    }
    if (start === 0) indexWatch?.built(teamId, performance.now() - startedMs);
    if (positions.size >= maxKnownPositions) positions.clear();
    positions.set(teamId, Math.max(start, cursor));
    return true;
  }

  async function bringUpToDate(teamId: string, signal: AbortSignal): Promise<void> {
    // The run begins after this, so it is one for a question.
    asked.add(teamId);
    await unlessAborted(fresh.run(teamId), signal);
  }

  return {
    async search({ teamId, tier }, request, { signal, vectorOf }) {
      signal.throwIfAborted();
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        await bringUpToDate(teamId, signal);
        const hasVectors = vectorOf !== undefined && (await host.vectors(teamId, tier)) > 0;
        const vector = hasVectors ? await vectorOf() : undefined;
        // Whoever goes away leaves at once; the team's next search begins when the one under way has ended.
        const search = queue.run(teamId, signal, () => host.search(teamId, { ...request, tier, vector }));
        const found = await unlessAborted(search, signal);
        if (found !== undefined) return found;
        positions.delete(teamId);
      }
      throw crowdedOut();
    },
    async coverage(teamId, signal) {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        await bringUpToDate(teamId, signal);
        const coverage = await unlessAborted(host.coverage(teamId), signal);
        if (coverage !== undefined) return coverage;
        positions.delete(teamId);
      }
      throw crowdedOut();
    },
    async follow(teamId) {
      await fresh.run(teamId);
    },
    async close() {
      closing.abort(new AppError('unavailable', 'The service is shutting down.'));
      await fresh.settled();
    },
  };
}

function crowdedOut(): AppError {
  return new AppError(
    'unavailable',
    'There is no memory for the index of this team at the moment; ask again.',
  );
}
