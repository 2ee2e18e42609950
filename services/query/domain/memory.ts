import { createFreshRuns } from './fresh-runs.ts';
import { createIndexCache, type IndexWatch } from './index-cache.ts';
import type { ItemFeed } from './item-feed.ts';
import type { Tier } from './passage.ts';
import type { PassageStore } from './passage-store.ts';
import { catchUp } from './projection.ts';
import type { TeamIndex } from './team-index.ts';
import { unlessAborted } from './unless-aborted.ts';
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
  /** A team's index as it is, where it is in memory. */
  indexOf(teamId: string): TeamIndex | undefined;
  /** What the indexes take now. */
  indexes(): { teams: number; bytes: number };
  /** Passages in them that have no vector. */
  unembeddedPassages(): number;
  /** Waits until no work is under way, that of callers who went away included. */
  settled(): Promise<void>;
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
  const freshIndexes = createFreshRuns(async (teamId) => {
    await watch(teamId, () => catchUp(teamId, parts));
    return indexes.upToDate(teamId);
  });
  return {
    async viewFor({ teamId, tier }, signal) {
      signal.throwIfAborted();
      const index = await unlessAborted(freshIndexes.run(teamId), signal);
      return index.view(tier);
    },
    indexOf: indexes.peek,
    indexes: indexes.size,
    unembeddedPassages: indexes.unembeddedPassages,
    settled: freshIndexes.settled,
  };
}
