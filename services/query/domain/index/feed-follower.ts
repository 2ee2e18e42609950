import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@teammemory/async/backoff.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { TeamIndexes } from './team-indexes.ts';

/** A team, and a number that rises with every change of its lists, shortly after it. */
export interface FeedPlace {
  teamId: string;
  seq: number;
}

/** Lists all teams. */
export interface FeedList {
  /**
   * One page, behind the token of the page before; '' begins with the first, and
   * ends with the last.
   * @throws AppError `unavailable` when it is not answered in time; any error
   *   when the signal aborts.
   */
  page(token: string, signal: AbortSignal): Promise<{ feeds: readonly FeedPlace[]; nextToken: string }>;
}

/** Teams of which it is remembered how far they were followed: some megabytes. With more, each costs some reads a round. */
const maxKnownTeams = 50_000;
/** The pause after a team at most; a large one has let others have their turn while it was worked on. */
const longestPauseMs = 1_000;
/** After an outage. */
const followRetryWaits: Backoff = { firstMs: 1_000, lastMs: 60_000 };

/** Keeps what is made from the item feeds of all teams up to date, in the background. */
export interface FeedFollower {
  /** Milliseconds since it had gone over all teams, or since it began. */
  ageMs(): number;
  /** Stops following; closing the indexes ends the calls that it waits for. Call it once. */
  close(): Promise<void>;
}

/**
 * Goes over all teams now and then after every `intervalMs`, a quarter more or
 * less, and has those followed whose feed has moved: one at a time, with a pause
 * as long as the work. `wake` is told of each team, for the work that comes after.
 *
 * An outage ends a round; it is told to `report` once, and tried again, later and
 * later up to a minute. A team that fails for another reason, which whoever
 * watches catch-ups is told, is left alone until its feed moves. `clock` is milliseconds.
 */
export function startFeedFollower(dependencies: {
  feeds: FeedList;
  indexes: Pick<TeamIndexes, 'follow'>;
  wake: (teamId: string) => void;
  intervalMs: number;
  report: (failure: unknown) => void;
  clock: () => number;
  retryWaits?: Backoff;
}): FeedFollower {
  const { feeds, indexes, wake, intervalMs, report, clock, retryWaits = followRetryWaits } = dependencies;
  const closing = new AbortController();
  const followed = new Map<string, number>();
  let lastRoundMs = clock();

  async function follow({ teamId, seq }: FeedPlace): Promise<void> {
    if (seq > (followed.get(teamId) ?? 0)) {
      const startedMs = performance.now();
      await indexes.follow(teamId).catch(throwOutage);
      if (followed.size >= maxKnownTeams) followed.clear();
      followed.set(teamId, seq);
      await pause(Math.min(performance.now() - startedMs, longestPauseMs));
    }
    wake(teamId);
  }

  async function round(): Promise<void> {
    let token = '';
    do {
      const page = await feeds.page(token, closing.signal);
      for (const feed of inRandomOrder(page.feeds)) {
        closing.signal.throwIfAborted();
        await follow(feed);
      }
      token = page.nextToken;
    } while (token !== '');
    lastRoundMs = clock();
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      try {
        await round();
        failures = 0;
        await pause(intervalMs * (0.75 + Math.random() / 2));
      } catch (error) {
        if (closing.signal.aborted) return;
        if (failures === 0) report(error);
        await pause(backoffMs(retryWaits, failures));
        failures += 1;
      }
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  const running = run();
  return {
    ageMs: () => clock() - lastRoundMs,
    async close() {
      closing.abort();
      await running;
    },
  };
}

function throwOutage(error: unknown): void {
  if (error instanceof AppError && error.code === 'unavailable') throw error;
}

/** Processes that begin together find each other's work done when each goes its own way. */
function inRandomOrder<Value>(values: readonly Value[]): Value[] {
  const order = new Map(values.map((value) => [value, Math.random()]));
  return values.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0));
}
