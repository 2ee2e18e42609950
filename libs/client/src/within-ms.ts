/** Waits for `work`, but rejects with a TimeoutError after `timeoutMs`. The work itself goes on: whoever started it ends it. */
export async function withinMs<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DOMException('nothing came in time', 'TimeoutError')), timeoutMs);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
