import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that a piece of work may compute before other work gets a turn of the event loop. */
const defaultTurnMs = 8;

/** When the turn of the event loop began in which somebody asked last. */
let latest = { loopCount: -1, beganMs: 0 };

function turnBeganMs(): number {
  const { loopCount } = performance.nodeTiming.uvMetricsInfo;
  if (loopCount !== latest.loopCount) latest = { loopCount, beganMs: performance.now() };
  return latest.beganMs;
}

/**
 * Returns a function to be awaited between the pieces of long work. It waits for the next turn of the event loop
 * where long work has taken `turnMs` of this one, the work of others included, and returns undefined where it has not,
 * which most requests never reach.
 */
export function eventLoopTurns(turnMs = defaultTurnMs): () => Promise<void> | undefined {
  let beganMs = turnBeganMs();
  return () => {
    if (performance.now() - beganMs < turnMs) return undefined;
    return nextTurn().then(() => {
      beganMs = turnBeganMs();
    });
  };
}
