import { AppError } from '@teammemory/errors/app-error.ts';
import type { ItemFeed } from '../passages/item-feed.ts';
import type { Tier } from '../passages/passage.ts';
import type { PassageStore } from '../passages/passage-store.ts';
import { catchUp } from '../passages/projection.ts';
import { createFreshRuns } from '../waiting/fresh-runs.ts';
import { unlessAborted } from '../waiting/unless-aborted.ts';
import { createIndexCache, type IndexWatch } from './index-cache.ts';
import type { TeamIndex } from './team-index.ts';
import type { ViewIndex } from './view-index.ts';

/** Whose view of which team. */
export interface Viewer {
  teamId: string;
  tier: Tier;
}

/** What teams know, as their members may see it. */
export interface Memory {
  /**
   * The viewer's view, showing every item that was acknowledged before the
   * call. To be searched at once: later changes show in it too.
   * @throws the signal's reason when it aborts, AppError `unavailable` when
   *   the feed or the store does not answer in time.
   */
  viewFor(viewer: Viewer, signal: AbortSignal): Promise<ViewIndex>;
  /**
   * Brings what is stored of a team up to date with its feed, and its index, for
   * nobody in particular: an index that is not in memory is made only where
   * there is room for it. Questions share the work.
   * @throws AppError `unavailable` as `viewFor` does.
   */
  follow(teamId: string): Promise<void>;
  /** Drops indexes, those not asked about for longest first, where vectors have made them too large. */
  trim(): void;
  /** A team's index as it is, where it is in memory. */
  indexOf(teamId: string): TeamIndex | undefined;
  /** What the indexes take now. */
  indexes(): { teams: number; bytes: number };
  /** Passages in them that have no vector. */
  unembeddedPassages(): number;
  /** Breaks off what is under way and waits for its end. To be called once, after the last call. */
  close(): Promise<void>;
}

/** Makes the memory; `maxIndexBytes` bounds the indexes it keeps. */
export function createMemory(parts: {
  feed: ItemFeed;
  passages: PassageStore;
  maxIndexBytes: number;
  /** Told what becomes of indexes. */
  indexWatch?: IndexWatch;
  /** Runs each catch-up of a team, which answers how many positions of the feed it went on by. */
  watch?: (teamId: string, work: () => Promise<number>) => Promise<number>;
}): Memory {
  const { passages, maxIndexBytes: maxBytes, indexWatch, watch = (_teamId, work) => work() } = parts;
  const indexes = createIndexCache({ passages, maxBytes, watch: indexWatch });
  const closing = new AbortController();
  const { signal } = closing;
  /** Teams that a question waits for. */
  const asked = new Set<string>();
  const freshIndexes = createFreshRuns(async (teamId) => {
    const isAsked = asked.delete(teamId);
    await watch(teamId, () => catchUp(teamId, { ...parts, signal }));
    signal.throwIfAborted();
    return isAsked ? indexes.upToDate(teamId, signal) : indexes.warm(teamId, signal);
  });
  return {
    async viewFor({ teamId, tier }, signal) {
      signal.throwIfAborted();
      // The run begins after this, so it is one for a question.
      asked.add(teamId);
      const index = await unlessAborted(freshIndexes.run(teamId), signal);
      return index.view(tier);
    },
    async follow(teamId) {
      await freshIndexes.run(teamId);
    },
    trim: indexes.trim,
    indexOf: indexes.peek,
    indexes: indexes.size,
    unembeddedPassages: indexes.unembeddedPassages,
    async close() {
      closing.abort(new AppError('unavailable', 'The service is shutting down.'));
      await freshIndexes.settled();
    },
  };
}
