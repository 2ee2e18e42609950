import type { RateLimiter } from './rolling-window.ts';

/** A write that was made, by when it happened. */
export interface Write {
  atMs: number;
  count: number;
}

/** Makes one write of `count` slots if it is admitted, using `used` of them. Returns whether it was. */
export async function write(
  limiter: RateLimiter,
  key: string,
  { count = 1, used = count, done }: { count?: number; used?: number; done?: Write[] } = {},
): Promise<boolean> {
  const result = await limiter.reserve(key, count);
  if ('retryAfterSeconds' in result) return false;
  done?.push({ atMs: performance.now(), count: used });
  await result.settle(used);
  return true;
}

/** The most slots that any window holds, of those that begin at `fromMs` or later. */
export function fullestWindow(writes: readonly Write[], windowMs: number, fromMs = 0): number {
  const later = writes.filter(({ atMs }) => atMs >= fromMs).toSorted((one, other) => one.atMs - other.atMs);
  let most = 0;
  let slots = 0;
  let first = 0;
  for (const { atMs, count } of later) {
    slots += count;
    for (let oldest = later[first]; oldest && oldest.atMs <= atMs - windowMs; oldest = later[first]) {
      slots -= oldest.count;
      first += 1;
    }
    most = Math.max(most, slots);
  }
  return most;
}
