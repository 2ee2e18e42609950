import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others get their turn. */
const turnMs = 10;

/**
 * Makes a function to be awaited between two pieces of work: it lets the event
 * loop run whenever the work since its last turn has taken 10 ms, so that long
 * work in small pieces holds up nobody.
 */
export function eventLoopTurns(): () => Promise<void> {
  let startedMs = performance.now();
  return async () => {
    if (performance.now() - startedMs < turnMs) return;
    await setImmediate();
    startedMs = performance.now();
  };
}
