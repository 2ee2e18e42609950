import type { Log } from './log.ts';

/** Lines a second: enough to see what is wrong, and little for a log that many processes write to. */
const maxPerSecond = 20;
const windowMs = 1_000;

/** Writes a warning, or counts it as left out. */
export type Warn = (fields: object, message: string) => void;

/**
 * Makes warnings that cannot flood the log: past 20 a second they are counted, and the next one says how many were left
 * out. `clock` returns milliseconds that never go back.
 */
export function limitWarnings(log: Log, clock: () => number = () => performance.now()): Warn {
  let windowStartMs = clock();
  let written = 0;
  let leftOut = 0;
  return (fields, message) => {
    const nowMs = clock();
    if (nowMs - windowStartMs >= windowMs) {
      windowStartMs = nowMs;
      written = 0;
    }
    if (written >= maxPerSecond) {
      leftOut += 1;
      return;
    }
    written += 1;
    log.warn(leftOut === 0 ? fields : { ...fields, warnings_left_out: leftOut }, message);
    leftOut = 0;
  };
}
