import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work on one request may go on before everybody else gets a turn of the event loop. */
const turnMs = 8;

/**
 * Returns a function to be called between the pieces of long work, which waits
 * for the next turn of the event loop when this one has lasted long enough.
 * It returns nothing to wait for where it has not: most requests are over in one turn.
 */
export function pacedTurns(): () => Promise<void> | undefined {
  let beganMs = performance.now();
  return () => {
    if (performance.now() - beganMs < turnMs) return undefined;
    return nextTurn().then(() => {
      beganMs = performance.now();
    });
  };
}
