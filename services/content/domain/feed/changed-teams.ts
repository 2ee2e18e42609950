import { maxPageFeeds, type ProgressStore, type TeamHeads } from './progress.ts';
import { createReadMarks, markOpenMs, type TeamMarkStore } from './team-marks.ts';

/** From the end of one look to the start of the next. With what follows it stays below the 2 s in which a change must be told. */
const lookPauseMs = 1_000;
/** Between two looks at the progress of all teams, which shows what processes of versions without marks have written. */
const progressPauseMs = 10_000;
/** Teams whose heads are read at once. */
const maxChecks = 16;
/** Teams whose heads are remembered: some megabytes. A team that was forgotten is told of once more. */
const maxKnownTeams = 50_000;

/** Is told of teams that changed; of none when a look begins, which says that the database answers. */
export type ChangeListener = (teamIds: readonly string[]) => void;

/** Finds the teams whose lists change, through whatever process. */
export interface ChangedTeams {
  /** Tells a listener of every change from now on. Returns a function that ends it. */
  follow(listener: ChangeListener): () => void;
  /** Begins to look again and again. */
  start(): void;
  /** Looks once and begins to read the heads of teams that may have changed. */
  look(): Promise<void>;
  /** Waits until those are read. */
  settled(): Promise<void>;
  /** Ends the looks; waits for what is under way. */
  close(): Promise<void>;
}

/**
 * Looks once a second for all teams at once, so idle teams and listeners cost nothing: it reads which teams were marked
 * since the last look. Rows may follow their mark for a while, so a marked team's heads are read with each look until that
 * time is over, and the team is told of when they move.
 */
export function createChangedTeams(dependencies: {
  marks: TeamMarkStore;
  progress: Pick<ProgressStore, 'all'>;
  /** Returns a team's heads, once tasks show everything written before. */
  headsOf: (teamId: string) => Promise<TeamHeads>;
  /** Milliseconds that never go back. */
  clock: () => number;
  onError: (error: unknown) => void;
}): ChangedTeams {
  const { marks, progress, headsOf, clock, onError } = dependencies;
  const readMarks = createReadMarks(marks, clock);
  const readProgress = createReadProgress(progress);
  const listeners = new Set<ChangeListener>();
  /** Teams whose heads are read with each look, and until when. */
  const open = new Map<string, number>();
  /** Teams whose heads are to be read, and those whose are being read. */
  const [due, checks] = [new Set<string>(), new Map<string, Promise<void>>()];
  const known = new Map<string, string>();
  let progressMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isClosed = false;

  function tell(teamIds: readonly string[]): void {
    for (const listener of listeners) listener(teamIds);
  }

  async function check(teamId: string): Promise<void> {
    try {
      const { itemsSeq, tasksSeq, decisionsSeq } = await headsOf(teamId);
      const heads = `${itemsSeq} ${tasksSeq} ${decisionsSeq}`;
      if (known.get(teamId) === heads) return;
      if (known.size >= maxKnownTeams) known.clear();
      known.set(teamId, heads);
      tell([teamId]);
    } catch (error) {
      // Whether it changed is not known, so it is looked at again.
      open.set(teamId, Math.max(clock(), open.get(teamId) ?? 0));
      onError(error);
    } finally {
      checks.delete(teamId);
      checkDue();
    }
  }

  /** Begins to read heads that are due, as many at once as may be. */
  function checkDue(): void {
    if (isClosed) return;
    for (const teamId of due) {
      if (checks.size >= maxChecks) return;
      // A read under way may have missed the change.
      if (checks.has(teamId)) continue;
      due.delete(teamId);
      checks.set(teamId, check(teamId));
    }
  }

  async function look(): Promise<void> {
    const nowMs = clock();
    for (const teamId of await readMarks()) open.set(teamId, nowMs + markOpenMs);
    if (nowMs - progressMs >= progressPauseMs) {
      for (const teamId of await readProgress()) due.add(teamId);
      progressMs = nowMs;
    }
    tell([]);
    for (const [teamId, untilMs] of open) {
      due.add(teamId);
      if (untilMs <= nowMs) open.delete(teamId);
    }
    checkDue();
  }

  return {
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      const next = () => {
        looking = look().catch(onError);
        looking.finally(() => {
          if (!isClosed) timer = setTimeout(next, lookPauseMs);
        });
      };
      next();
    },
    look,
    async settled() {
      while (checks.size > 0) await Promise.all(checks.values());
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(checks.values());
    },
  };
}

/** Returns a function that reads which teams' progress has changed since its last call; the first finds none. */
function createReadProgress(progress: Pick<ProgressStore, 'all'>): () => Promise<string[]> {
  let known: Map<string, number> | undefined;
  return async () => {
    const [found, changed] = [new Map<string, number>(), [] as string[]];
    for (let after = '', length = maxPageFeeds; length === maxPageFeeds; ) {
      const page = await progress.all(after, maxPageFeeds);
      for (const { teamId, changes } of page) {
        found.set(teamId, changes);
        if (known !== undefined && known.get(teamId) !== changes) changed.push(teamId);
      }
      ({ length } = page);
      after = page.at(-1)?.teamId ?? '';
    }
    known = found;
    return changed;
  };
}
