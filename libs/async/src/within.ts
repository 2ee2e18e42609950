/**
 * Waits until `work` has ended, but at most `limitMs`, and returns its result; undefined if that comes too late. Rejects
 * as the work does. The work goes on, and nobody hears of its late failure.
 */
export async function within<Result>(work: Promise<Result>, limitMs: number): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>();
  // A process that was held up finds its timers due before it has read what arrived meanwhile: that goes first.
  const timer = setTimeout(() => setImmediate(late.resolve, undefined), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
