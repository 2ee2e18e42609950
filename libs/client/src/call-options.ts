/** The options of every call of a client. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
}

/** Returns a signal that aborts when the caller's signal does, or after `timeoutMs`. */
export function withDeadline(timeoutMs: number, caller: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs);
  return caller === undefined ? deadline : AbortSignal.any([caller, deadline]);
}

/** Waits for `work`, but rejects with a TimeoutError after `timeoutMs`. The caller has to end the work itself. */
export async function withinMs<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new DOMException('nothing arrived in time', 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
