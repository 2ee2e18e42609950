import { setTimeout as delay } from 'node:timers/promises';

/** A limit for what hangs, which waits for nothing else: a loaded machine takes several seconds. The pause is between two tries. */
const defaults = { withinMs: 30_000, everyMs: 10 };

/**
 * Waits until `condition` returns something other than false, null or undefined, and returns that value. Use it
 * instead of sleeping. An error thrown by `condition` means "not yet".
 *
 * @throws Error naming `what` if the time is over, with the last error of `condition` as its cause.
 */
export async function eventually<Value>(
  what: string,
  condition: () => Value | Promise<Value>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<Exclude<Value, false>>> {
  const { withinMs, everyMs } = { ...defaults, ...options };
  const deadline = performance.now() + withinMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) {
        return value as NonNullable<Exclude<Value, false>>;
      }
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`, { cause });
    await delay(everyMs);
  }
}
