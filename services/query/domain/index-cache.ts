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
  /** The team's index as it is, where there is one; does not count as use. */
  peek(teamId: string): TeamIndex | undefined;
  /** What the indexes take now. */
  size(): { teams: number; bytes: number };
  /** Passages in them that have no vector. */
  unembeddedPassages(): number;
}

/** Told what becomes of indexes. */
export interface IndexWatch {
  /** A team's index was built from all its rows. */
  built(teamId: string, milliseconds: number): void;
  /** A team's index was dropped for want of memory. */
  dropped(teamId: string): void;
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
export function createIndexCache(options: {
  passages: PassageStore;
  maxBytes: number;
  watch?: IndexWatch;
}): IndexCache {
  const { passages, maxBytes, watch } = options;
  const entries = new Map<string, Entry>();

  function use(teamId: string): Entry {
    const entry = entries.get(teamId) ?? { index: createTeamIndex(), position: 0 };
    // A Map keeps the order of insertion: the least recently used comes first.
    entries.delete(teamId);
    entries.set(teamId, entry);
    return entry;
  }

  function allBytes(): number {
    return entries.values().reduce((sum, { index }) => sum + index.bytes(), 0);
  }

  function dropUnused(): void {
    let bytes = allBytes();
    for (const [teamId, { index }] of entries) {
      if (bytes <= maxBytes || entries.size === 1) return;
      entries.delete(teamId);
      bytes -= index.bytes();
      watch?.dropped(teamId);
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
      const isNew = !entries.has(teamId);
      const startedMs = performance.now();
      const entry = use(teamId);
      await takeOver(teamId, entry);
      if (isNew) watch?.built(teamId, performance.now() - startedMs);
      dropUnused();
      return entry.index;
    },
    peek: (teamId) => entries.get(teamId)?.index,
    size: () => ({ teams: entries.size, bytes: allBytes() }),
    unembeddedPassages: () =>
      entries.values().reduce((sum, { index }) => sum + index.unembeddedPassages(), 0),
  };
}
