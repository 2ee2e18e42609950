import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that a piece of work may compute before other work gets a turn of the event loop. */
const defaultTurnMs = 8;

/**
 * Returns a function to be awaited between the pieces of long work. It waits for the next turn of the event loop
 * where this turn has lasted `turnMs`, and returns undefined where it has not, which most requests never reach.
 */
export function eventLoopTurns(turnMs = defaultTurnMs): () => Promise<void> | undefined {
  let beganMs = performance.now();
  return () => {
    if (performance.now() - beganMs < turnMs) return undefined;
    return nextTurn().then(() => {
      beganMs = performance.now();
    });
  };
}
