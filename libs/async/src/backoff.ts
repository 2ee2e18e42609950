/** The pauses between attempts, in milliseconds: they double from the first to the last. */
export interface Backoff {
  firstMs: number;
  lastMs: number;
}

/**
 * Returns the pause after `failures` failed attempts before this one, in milliseconds. Up to a half is taken off at
 * random, so that processes that failed together do not try again together.
 */
export function backoffMs({ firstMs, lastMs }: Backoff, failures: number): number {
  return Math.min(lastMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
}
