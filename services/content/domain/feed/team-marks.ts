/** Marks of one page: some 100 KB. */
export const maxPageMarks = 1_000;
/** A mark made so recently stands for another, so that a busy team costs a mark now and then. */
const markKeptMs = 2_000;
/**
 * How long after a mark is seen its rows may still be written: as long as a mark is kept, and one write with its deadline
 * (8 seconds) and the way to the server.
 */
export const markOpenMs = 12_000;
/** How long a mark is read again: longer than a write waits until it can be read. */
const marksReadAgainMs = 15_000;
/** Teams whose last mark is remembered: some megabytes. */
const maxKnownTeams = 50_000;

/** A team, and when it was last marked, by a clock that all processes share. */
export interface TeamMark {
  teamId: string;
  at: number;
}

/** Stores a mark of each team. Every method throws AppError `unavailable` when the database cannot be reached in time. */
export interface TeamMarkStore {
  /** Marks a team now. Every later call of `after`, in any process, finds the mark. */
  mark(teamId: string): Promise<void>;
  /** Returns teams marked after a time, the one marked first first, and no more than `maxPageMarks`. */
  after(at: number): Promise<TeamMark[]>;
  /** Returns the time of the newest mark; 0 without one. */
  newestAt(): Promise<number>;
}

/** Marks a team before its rows are written, and again after a write that took long. */
export type MarkTeam = (teamId: string) => Promise<void>;

/**
 * Returns a function that marks a team, unless this process did so just now. A mark is made before the rows it stands for,
 * so a process that is killed between the two leaves a mark without rows, and never rows without a mark. `clock` is
 * milliseconds that never go back.
 */
export function createMarkTeam(marks: Pick<TeamMarkStore, 'mark'>, clock: () => number): MarkTeam {
  const marked = new Map<string, number>();
  return async (teamId) => {
    const beganMs = clock();
    if (beganMs - (marked.get(teamId) ?? -Infinity) < markKeptMs) return;
    await marks.mark(teamId);
    if (marked.size >= maxKnownTeams) marked.clear();
    marked.set(teamId, beganMs);
  };
}

/** Reads which teams were marked since the call before; the first call also finds those marked shortly before it. */
export type ReadMarks = () => Promise<string[]>;

/**
 * Makes a reader of new marks. Marks become readable a little out of order, so it reads those of the last
 * `marksReadAgainMs` again, and returns the ones that it did not know. A call that fails is made up for by the next.
 */
export function createReadMarks(marks: TeamMarkStore, clock: () => number): ReadMarks {
  const known = new Map<string, number>();
  /** Marks after `from` are read; `earlier` was the newest when `from` was last moved. */
  let place: { from: number; earlier: number; newest: number; movedMs: number } | undefined;

  return async () => {
    if (place === undefined) {
      const newest = await marks.newestAt();
      const from = newest - markOpenMs;
      place = { from, earlier: from, newest, movedMs: clock() };
    }
    const read = new Map<string, number>();
    for (let { from } = place, length = maxPageMarks; length === maxPageMarks; ) {
      const page = await marks.after(from);
      for (const { teamId, at } of page) read.set(teamId, at);
      ({ length } = page);
      const last = page.at(-1)?.at ?? from;
      // The next page begins with the moment that this one ends in, of which it may not have all.
      from = last > from + 1 ? last - 1 : last;
      place.newest = Math.max(place.newest, last);
    }
    const fresh = [...read].filter(([teamId, at]) => known.get(teamId) !== at);
    for (const [teamId, at] of fresh) known.set(teamId, at);
    if (clock() - place.movedMs >= marksReadAgainMs) {
      place = { ...place, from: place.earlier, earlier: place.newest, movedMs: clock() };
      for (const [teamId, at] of known) if (at <= place.from) known.delete(teamId);
    }
    return fresh.map(([teamId]) => teamId);
  };
}
