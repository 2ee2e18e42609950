import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that a piece of work may compute before other work gets a turn of the event loop. */
const defaultTurnMs = 8;

/** The share of a turn that each work gets, however long others took: they are resumed in the same order each turn. */
const ownShare = 1 / 4;

/** When somebody asked first in the latest turn of the event loop in which anybody did. */
let latest = { loopCount: -1, beganMs: 0 };

/** Returns from when the time of this turn counts for a work that begins or goes on now. */
function turnBeganMs(turnMs: number): number {
  const { loopCount } = performance.nodeTiming.uvMetricsInfo;
  const nowMs = performance.now();
  if (loopCount !== latest.loopCount) latest = { loopCount, beganMs: nowMs };
  return Math.max(latest.beganMs, nowMs - turnMs * (1 - ownShare));
}

/**
 * Returns a function to be awaited between the pieces of long work. It waits for the next turn of the event loop
 * where long work has taken `turnMs` of this one, the work of others included, and this work a quarter of that. It
 * returns undefined where it has not, which most requests never reach.
 */
export function eventLoopTurns(turnMs = defaultTurnMs): () => Promise<void> | undefined {
  let beganMs = turnBeganMs(turnMs);
  return () => {
    if (performance.now() - beganMs < turnMs) return undefined;
    return nextTurn().then(() => {
      beganMs = turnBeganMs(turnMs);
    });
  };
}
