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
