import { AppError } from '@teammemory/errors/app-error.ts';

/** How many searches may wait, and for how long; running searches do not count. */
export interface SearchQueueLimits {
  /** Searches under way at once, each of another team. */
  underWay: number;
  ofTeam: number;
  inAll: number;
  waitMs: number;
}

/**
 * A few searches are under way at once, because all share one thread; they are of different teams, because a team's
 * are done one after the other. As many of a team wait as it may have answers open by default. Whoever waits for eight
 * seconds is behind more than can be answered in time, and can still be refused before the answer's stream begins.
 */
const searchQueueLimits: SearchQueueLimits = {
  underWay: 8,
  ofTeam: 1_000,
  inAll: 4_000,
  waitMs: 8_000,
};

/** Lets teams search by turns. */
export interface SearchQueue {
  /**
   * Runs a search when its turn comes.
   * @throws AppError `unavailable`, without running it, where too much waits or it has waited for too long, and the
   *   signal's reason when that aborts while it waits.
   */
  run<Result>(teamId: string, signal: AbortSignal, search: () => Promise<Result>): Promise<Result>;
  /** Searches that wait. */
  waiting(): number;
}

interface Waiting {
  start: () => void;
}

/** Makes a queue in which each team has one search under way, the next team being the one that has waited longest. */
export function createSearchQueue(limits: SearchQueueLimits = searchQueueLimits): SearchQueue {
  /** Those that wait, by team, in the order of the teams' turns. */
  const teams = new Map<string, Set<Waiting>>();
  const underWay = new Set<string>();
  let waitingInAll = 0;

  function leave(teamId: string, waiting: Waiting): void {
    const ofTeam = teams.get(teamId);
    if (ofTeam?.delete(waiting) !== true) return;
    waitingInAll -= 1;
    if (ofTeam.size === 0) teams.delete(teamId);
  }

  function startNext(): void {
    for (const [teamId, ofTeam] of teams) {
      if (underWay.size >= limits.underWay) return;
      const [first] = ofTeam;
      if (underWay.has(teamId) || first === undefined) continue;
      leave(teamId, first);
      // Moves the team behind all others that wait.
      if (teams.delete(teamId)) teams.set(teamId, ofTeam);
      underWay.add(teamId);
      first.start();
    }
  }

  /** Resolves when it is the team's turn, which `underWay` then shows. */
  function turnOf(teamId: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const ofTeam = teams.get(teamId) ?? new Set();
    if (ofTeam.size >= limits.ofTeam || waitingInAll >= limits.inAll) throw tooMuch();
    const end = (error: unknown) => {
      leave(teamId, waiting);
      stopWaiting();
      reject(error);
    };
    const abort = () => end(signal.reason);
    const timer = setTimeout(() => end(tooMuch()), limits.waitMs);
    const stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const waiting: Waiting = {
      start() {
        stopWaiting();
        resolve();
      },
    };
    signal.addEventListener('abort', abort, { once: true });
    ofTeam.add(waiting);
    teams.set(teamId, ofTeam);
    waitingInAll += 1;
    startNext();
    return promise;
  }

  return {
    waiting: () => waitingInAll,
    async run(teamId, signal, search) {
      signal.throwIfAborted();
      await turnOf(teamId, signal);
      try {
        return await search();
      } finally {
        underWay.delete(teamId);
        startNext();
      }
    },
  };
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'Too many questions are waiting; ask again shortly.');
}
