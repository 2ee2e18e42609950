import { setImmediate } from 'node:timers/promises';

/** Milliseconds of one team's work after which other teams, and new calls, get their turn. */
const longestTurnMs = 5;

/** Work in steps, each of some milliseconds at most. */
export type Job<Result> = Generator<unknown, Result>;

/** Does work of many teams by turns. */
export interface Turns {
  /** Does a job after those that the team has already; other teams have their turns between its steps. */
  run<Result>(teamId: string, job: Job<Result>): Promise<Result>;
  /** Teams of which a job has begun and not ended. */
  underWay(): ReadonlySet<string>;
  /** Whether a team has no job, begun or waiting. */
  isIdle(teamId: string): boolean;
}

interface Waiting {
  job: Job<unknown>;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** Makes turns; `onTurn` is told whose begins, and undefined when it has ended. */
export function createTurns(onTurn: (teamId: string | undefined) => void = () => undefined): Turns {
  /** Teams in the order of their turns. */
  const teams = new Map<string, Waiting[]>();
  const underWay = new Set<string>();
  let isRunning = false;

  /** Goes on with a team's first job; returns whether that has ended. */
  function turnOf(teamId: string, { job, resolve, reject }: Waiting): boolean {
    const startedMs = performance.now();
    underWay.add(teamId);
    onTurn(teamId);
    try {
      for (;;) {
        const step = job.next();
        if (step.done === true) {
          resolve(step.value as never);
          return true;
        }
        if (performance.now() - startedMs > longestTurnMs) return false;
      }
    } catch (error) {
      reject(error);
      return true;
    } finally {
      onTurn(undefined);
    }
  }

  async function run(): Promise<void> {
    // A Map gives what is added while it is gone through, so teams take turns.
    for (const [teamId, jobs] of teams) {
      const [first] = jobs;
      if (first !== undefined && turnOf(teamId, first)) {
        underWay.delete(teamId);
        jobs.shift();
      }
      teams.delete(teamId);
      if (jobs.length > 0) teams.set(teamId, jobs);
      await setImmediate();
    }
    isRunning = false;
  }

  return {
    underWay: () => underWay,
    isIdle: (teamId) => !teams.has(teamId),
    run(teamId, job) {
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const jobs = teams.get(teamId) ?? [];
      jobs.push({ job, resolve, reject });
      teams.set(teamId, jobs);
      if (!isRunning) {
        isRunning = true;
        run();
      }
      return promise;
    },
  };
}

/** Returns a job that does its work when its turn comes. */
export function* oneStep<Result>(work: () => Result): Job<Result> {
  yield;
  return work();
}
