import type { ItemPassages } from '../passages/passage.ts';
import type { PassageStore } from '../passages/passage-store.ts';
import { yieldingToEventLoop } from '../waiting/yielding-to-event-loop.ts';
import { createTeamIndex, type TeamIndex } from './team-index.ts';

/** Rows of a page may have 1 MiB each, as with the feed. */
const rowsPerPage = 50;

/** Above this share of the memory no index is made that nobody asked for: what there is grows, by vectors too. */
const fillUpTo = 0.75;
/** Teams that are remembered to have found no room; forgetting them costs an attempt each. */
const maxTeamsWithoutRoom = 10_000;

/** Indexes of teams, those asked about lately before all others. */
export interface IndexCache {
  /**
   * The team's index, brought up to date with the stored rows. Not for two
   * calls at once for the same team, with those of `warm`.
   * @throws the signal's reason when it aborts, AppError `unavailable`.
   */
  upToDate(teamId: string, signal?: AbortSignal): Promise<TeamIndex>;
  /**
   * The same for a team that nobody asks about. One that is not there is made
   * only while three quarters of the memory are enough for the others, and not to
   * its end where it finds no room; then, and once dropped, only a question
   * brings it back.
   */
  warm(teamId: string, signal?: AbortSignal): Promise<TeamIndex>;
  /** Drops what vectors have made too large. */
  trim(): void;
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
  /** Number of the last question about the team, counted over all; 0 where there was none. */
  lastUse: number;
  /** Whether it has had all rows once. */
  isBuilt: boolean;
  /** What the index took when it was last counted. */
  bytes: number;
}

/**
 * Makes a cache that holds at most `maxBytes` of indexes by their own
 * estimate, dropping the team not asked about for longest, and before that those
 * that nobody asked about, the newest first. The team asked about last stays, even where
 * it alone is larger: to build it for every question would cost more than its memory.
 */
export function createIndexCache(options: {
  passages: PassageStore;
  maxBytes: number;
  watch?: IndexWatch;
}): IndexCache {
  const { passages, maxBytes, watch } = options;
  const entries = new Map<string, Entry>();
  const withoutRoom = new Set<string>();
  let uses = 0;
  let askedLast: string | undefined;
  /** Of all entries, each as it was last counted: to count all for every question would cost more than many a search. */
  let allBytes = 0;

  function count(teamId: string, entry: Entry): void {
    if (entries.get(teamId) !== entry) return;
    const bytes = entry.index.bytes();
    allBytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  function countAll(): void {
    for (const [teamId, entry] of entries) count(teamId, entry);
  }

  function dropWhatIsTooMuch(): void {
    if (allBytes <= maxBytes) return;
    const others = [...entries].filter(([teamId]) => teamId !== askedLast);
    // Equals keep their order: of those never asked about the one that came last goes first.
    const leastUsedFirst = others.reverse().sort(([, left], [, right]) => left.lastUse - right.lastUse);
    for (const [teamId, { bytes }] of leastUsedFirst) {
      if (allBytes <= maxBytes) return;
      allBytes -= bytes;
      entries.delete(teamId);
      if (withoutRoom.size >= maxTeamsWithoutRoom) withoutRoom.clear();
      withoutRoom.add(teamId);
      watch?.dropped(teamId);
    }
  }

  function hasRoomFor(teamId: string): boolean {
    return !withoutRoom.has(teamId) && allBytes < fillUpTo * maxBytes;
  }

  /** Takes over what has changed, page by page, for as long as `goesOn` says after each. */
  async function takeOver(
    teamId: string,
    entry: Entry,
    { signal, goesOn }: { signal: AbortSignal | undefined; goesOn: () => boolean },
  ): Promise<void> {
    const startedMs = performance.now();
    const cursor = await passages.cursor(teamId);
    // Reads on beyond the cursor: a row changed meanwhile has moved there, and would be missed. But
    // what is there may still have gaps, so the position, from where the next reading starts, stays behind.
    for (let after = entry.position; ; ) {
      const rows = await passages.changesAfter(teamId, after, rowsPerPage);
      try {
        for await (const _ of yieldingToEventLoop(applying(rows, entry.index))) signal?.throwIfAborted();
      } finally {
        count(teamId, entry);
      }
      after = rows.at(-1)?.seq ?? after;
      if (!goesOn()) return;
      if (rows.length < rowsPerPage) break;
    }
    entry.position = Math.max(entry.position, cursor);
    if (!entry.isBuilt) watch?.built(teamId, performance.now() - startedMs);
    entry.isBuilt = true;
  }

  return {
    async upToDate(teamId, signal) {
      const entry = entries.get(teamId) ?? newEntry();
      entries.set(teamId, entry);
      withoutRoom.delete(teamId);
      uses += 1;
      entry.lastUse = uses;
      askedLast = teamId;
      await takeOver(teamId, entry, { signal, goesOn: () => true });
      dropWhatIsTooMuch();
      return entry.index;
    },
    async warm(teamId, signal) {
      const known = entries.get(teamId);
      const entry = known ?? newEntry();
      if (known === undefined && !hasRoomFor(teamId)) return entry.index;
      entries.set(teamId, entry);
      const goesOn = () => {
        dropWhatIsTooMuch();
        return entries.get(teamId) === entry;
      };
      await takeOver(teamId, entry, { signal, goesOn });
      return entry.index;
    },
    trim() {
      countAll();
      dropWhatIsTooMuch();
    },
    peek: (teamId) => entries.get(teamId)?.index,
    size() {
      countAll();
      return { teams: entries.size, bytes: allBytes };
    },
    unembeddedPassages: () =>
      entries.values().reduce((sum, { index }) => sum + index.unembeddedPassages(), 0),
  };
}

function* applying(rows: readonly ItemPassages[], index: TeamIndex): Generator<void> {
  for (const row of rows) yield* index.applying(row);
}

function newEntry(): Entry {
  return { index: createTeamIndex(), position: 0, lastUse: 0, isBuilt: false, bytes: 0 };
}
