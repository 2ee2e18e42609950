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

/**
 * Returns the result of `work`, or throws the signal's reason as soon as it aborts. An abort ends the wait, not the
 * work: others may wait for the same work, and it may have to finish what it began.
 */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
