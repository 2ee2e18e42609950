import { setImmediate as nextTurn } from 'node:timers/promises';
import { within } from './bounded-wait.ts';

/** How long a caller in a burst waits for the run before its own, so that a slow one does not make it wait twice. */
const patienceMs = 100;

/** Work that is shared by its callers, per key. */
export interface SingleFlight<Result, Argument = void> {
  /** The result of a run that begins after this call; it may be shared with other callers. */
  run(key: string, argument: Argument): Promise<Result>;
  /** Waits until nothing is under way. */
  settled(): Promise<void>;
}

/**
 * Wraps work that many callers want at once. The run under way may have missed
 * what a caller knows about, so whoever comes meanwhile waits for its end and
 * shares the next one, made with the argument of the first of them. A failure
 * reaches the callers of that run only.
 *
 * With `forBursts`, readers that come together share their first run too, on
 * which the cost of a page under load depends (`npm run bench`), and a run that
 * is slow is overtaken. Without, a run begins at once, and a key has one at a time.
 */
export function createSingleFlight<Result, Argument = void>(
  work: (key: string, argument: Argument) => Promise<Result>,
  { forBursts = false }: { forBursts?: boolean } = {},
): SingleFlight<Result, Argument> {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();

  function start(key: string, argument: Argument): Promise<Result> {
    waiting.delete(key);
    const run = work(key, argument);
    running.set(key, run);
    const leave = () => {
      // A slow run may have been overtaken.
      if (running.get(key) === run) running.delete(key);
    };
    run.then(leave, leave);
    return run;
  }

  return {
    run(key, argument) {
      const before = running.get(key);
      const begin = () => start(key, argument);
      if (before === undefined && !waiting.has(key) && !forBursts) return begin();
      return waiting.getOrInsertComputed(key, () => {
        const ready = forBursts ? gathered(before) : Promise.resolve(before);
        return ready.then(begin, begin);
      });
    },
    async settled() {
      while (running.size + waiting.size > 0)
        await Promise.allSettled([...running.values(), ...waiting.values()]);
    },
  };
}

/** Ends when a burst of callers has come together and the run before it has ended or is slow. */
async function gathered(before: Promise<unknown> | undefined): Promise<void> {
  if (before !== undefined) await within(before, patienceMs).catch(() => undefined);
  // For example readers who were just answered: the event loop reads their requests in these two turns.
  await nextTurn();
  await nextTurn();
}
