import { setImmediate as nextTurn } from 'node:timers/promises';
import { untilAborted } from '@teammemory/async/until-aborted.ts';

/** How long a caller waits for the call before its own, so that a slow service does not make it wait twice. */
const patienceMs = 100;

/**
 * A single-flight for bursts of readers. The call in progress may have missed
 * what a new caller knows about, so new callers share the next call: a result is
 * never older than the request for it. A failure reaches the callers of that
 * call only.
 *
 * `@teammemory/async/single-flight.ts` starts at once and waits however long the
 * call before takes. This one gathers a burst first, on which the cost of a page
 * under load depends (`npm run bench`), and overtakes a slow call.
 */
export function createBurstSingleFlight<Result>(): (
  key: string,
  call: () => Promise<Result>,
) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();

  async function start(key: string, call: () => Promise<Result>): Promise<Result> {
    const result = call();
    running.set(key, result);
    try {
      return await result;
    } finally {
      // A slow call may have been overtaken.
      if (running.get(key) === result) running.delete(key);
    }
  }

  async function startNext(key: string, call: () => Promise<Result>): Promise<Result> {
    const before = running.get(key);
    if (before !== undefined) {
      await untilAborted(before, AbortSignal.timeout(patienceMs)).catch(() => undefined);
    }
    // Requests come in bursts, for example from readers who were just answered. The event loop reads them in these two
    // turns, so they share this call instead of waiting for another.
    await nextTurn();
    await nextTurn();
    waiting.delete(key);
    return start(key, call);
  }

  return (key, call) => waiting.getOrInsertComputed(key, () => startNext(key, call));
}
