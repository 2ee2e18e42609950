/** Waits between tries, in milliseconds: doubled from the first to the last. */
export interface RetryWaits {
  firstMs: number;
  lastMs: number;
}

/** How long to wait after so many failures before this one; a random half is taken off, so that processes part. */
export function retryWaitMs({ firstMs, lastMs }: RetryWaits, failures: number): number {
  return Math.min(lastMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
}
