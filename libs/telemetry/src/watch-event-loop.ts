import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from './metrics.ts';

/** Longest that one turn of the event loop may compute; everybody who shares the process waits for it. */
export const longestTurnMs = 50;
/** Longest that one turn may take on the clock before it is counted: requests notice a wait for the disk from here on. */
const lateTurnMs = 250;
/** How often the loop is looked at; a turn that is reported computed for at least `longestTurnMs` within this and that. */
const lookEveryMs = 10;
/** So that a process that is always busy does not fill its log. */
const logAtMostEveryMs = 1_000;

/**
 * Counts and logs turns of this thread's event loop that computed for more than
 * 50 ms, from now on until the function that it returns is called.
 *
 * Processor time of the thread decides, not time on the clock: on a machine
 * with other things to do, a process that is not given a processor holds up
 * nobody by its own work. Turns that take more than 250 ms on the clock, as with
 * a slow disk, are counted apart and not logged. A turn is what happens between two firings of a timer
 * that is due every 10 ms, so a long turn may consist of several callbacks in a row.
 */
export function watchEventLoop({
  log,
  metrics,
  clock = () => performance.now(),
}: {
  log: Log;
  metrics: Metrics;
  /** Milliseconds that never go back. */
  clock?: () => number;
}): () => void {
  const raise = metrics.counter('teammemory_event_loop_long_turns_total');
  const raiseLate = metrics.counter('teammemory_event_loop_late_turns_total');
  let longestMs = 0;
  metrics.gauge('teammemory_event_loop_longest_turn_seconds', () => longestMs / 1_000);
  let lookedMs = threadMilliseconds();
  let lookedAtMs = clock();
  let loggedMs = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const atMs = clock();
    if (atMs - lookedAtMs - lookEveryMs > lateTurnMs) raiseLate();
    lookedAtMs = atMs;
    const nowMs = threadMilliseconds();
    const turnMs = nowMs - lookedMs - lookEveryMs;
    lookedMs = nowMs;
    longestMs = Math.max(longestMs, turnMs);
    if (turnMs <= longestTurnMs) return;
    raise();
    if (clock() - loggedMs < logAtMostEveryMs) return;
    loggedMs = clock();
    log.warn({ milliseconds: Math.round(turnMs) }, 'the event loop was held up');
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Processor time that this thread has used. */
function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
