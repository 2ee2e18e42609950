import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other work of the process gets its turn. */
const longestTurnMs = 10;

/**
 * Gives the same values, letting the event loop run whenever the work on them
 * has taken 10 ms, so that a large catch-up does not stop everything else.
 */
export async function* yieldingToEventLoop<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let turnStarted = performance.now();
  for (const value of values) {
    yield value;
    if (performance.now() - turnStarted < longestTurnMs) continue;
    await setImmediate();
    turnStarted = performance.now();
  }
}
