import { breathing } from './breathing.ts';
import type { PassageStore } from './passage-store.ts';
import { createTeamIndex, type TeamIndex } from './team-index.ts';

/** Rows of a page may have 1 MiB each, as with the feed. */
const rowsPerPage = 50;

/** The indexes of the teams asked about lately. */
export interface IndexCache {
  /**
   * The team's index, brought up to date with the stored rows. Not for two
   * calls at once for the same team.
   */
  upToDate(teamId: string): Promise<TeamIndex>;
}

interface Entry {
  index: TeamIndex;
  /** Every row up to here has been taken over. */
  position: number;
}

/**
 * Makes a cache that holds at most `maxBytes` of indexes by their own
 * estimate, dropping the team not asked about for longest. The index in use
 * stays, even where it alone is larger: to build it for every question would
 * cost more than its memory.
 */
export function createIndexCache(options: { passages: PassageStore; maxBytes: number }): IndexCache {
  const { passages, maxBytes } = options;
  const entries = new Map<string, Entry>();

  function use(teamId: string): Entry {
    const entry = entries.get(teamId) ?? { index: createTeamIndex(), position: 0 };
    // A Map keeps the order of insertion: the least recently used comes first.
    entries.delete(teamId);
    entries.set(teamId, entry);
    return entry;
  }

  function dropUnused(): void {
    let bytes = entries.values().reduce((sum, { index }) => sum + index.bytes(), 0);
    for (const [teamId, { index }] of entries) {
      if (bytes <= maxBytes || entries.size === 1) return;
      entries.delete(teamId);
      bytes -= index.bytes();
    }
  }

  async function takeOver(teamId: string, entry: Entry): Promise<void> {
    const cursor = await passages.cursor(teamId);
    // Reads on beyond the cursor: a row changed meanwhile has moved there, and would be missed. But
    // what is there may still have gaps, so the position, from where the next reading starts, stays behind.
    for (let after = entry.position; ; ) {
      const rows = await passages.changesAfter(teamId, after, rowsPerPage);
      for await (const row of breathing(rows)) entry.index.apply(row);
      after = rows.at(-1)?.seq ?? after;
      if (rows.length < rowsPerPage) break;
    }
    entry.position = Math.max(entry.position, cursor);
  }

  return {
    async upToDate(teamId) {
      const entry = use(teamId);
      await takeOver(teamId, entry);
      dropUnused();
      return entry.index;
    },
  };
}
