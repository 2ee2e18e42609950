import type { Quota, RateLimiter, Reservation } from './rate-limiter.ts';

/** Length of the window (decisions §3). */
const windowMs = 60_000;
/** Keys remembered before those without a slot are forgotten, and then again whenever they have doubled. */
const sweepAboveKeys = 10_000;

interface KeyUse {
  /** Slots of requests under way. */
  held: number;
  /** Slots used, oldest first; each counts until a window after `atMs`. */
  used: { atMs: number; count: number }[];
  /** Sum of `used`, kept because a high limit makes the list long. */
  usedSlots: number;
}

/**
 * An exact rolling window in memory, right for one gateway process: no 60
 * seconds, wherever they begin, ever admit more than `limit`. Slots are held
 * while a request runs and stamped when it ends, so that the window is exact
 * at the moment of the write too, not only at that of the admission.
 *
 * `clock` answers milliseconds that never go back.
 */
export function createRollingWindow(options: { limit: number; clock: () => number }): RateLimiter {
  const { limit, clock } = options;
  const keys = new Map<string, KeyUse>();
  let sweepAt = sweepAboveKeys;

  function useOf(key: string): KeyUse {
    let use = keys.get(key);
    if (use === undefined) {
      if (keys.size >= sweepAt) sweep();
      use = { held: 0, used: [], usedSlots: 0 };
      keys.set(key, use);
    }
    forgetOld(use);
    return use;
  }

  function forgetOld(use: KeyUse): void {
    const oldestMs = clock() - windowMs;
    let passed = 0;
    while ((use.used[passed]?.atMs ?? Number.POSITIVE_INFINITY) <= oldestMs) passed += 1;
    for (const { count } of use.used.splice(0, passed)) use.usedSlots -= count;
  }

  function sweep(): void {
    for (const [key, use] of keys) {
      forgetOld(use);
      if (use.held === 0 && use.used.length === 0) keys.delete(key);
    }
    sweepAt = Math.max(sweepAboveKeys, 2 * keys.size);
  }

  /** When `count` slots are free again, if what is held now is used. */
  function secondsUntilFree(use: KeyUse, count: number): number {
    const now = clock();
    let free = limit - use.held - use.usedSlots;
    for (const { atMs, count: slots } of use.used) {
      if (free >= count) break;
      free += slots;
      if (free >= count) return wholeSeconds(atMs + windowMs - now);
    }
    return free >= count ? 0 : wholeSeconds(windowMs);
  }

  return {
    async reserve(key, count) {
      const use = useOf(key);
      if (use.held + use.usedSlots + count > limit) {
        return { retryAfterSeconds: Math.max(1, secondsUntilFree(use, count)) };
      }
      use.held += count;
      return reservation(use, count, clock);
    },
    async quota(key): Promise<Quota> {
      const use = useOf(key);
      const taken = use.held + use.usedSlots;
      return {
        limit,
        windowSeconds: windowMs / 1000,
        remaining: Math.max(0, limit - taken),
        resetSeconds: taken === 0 ? 0 : secondsUntilFree(use, limit - taken + 1),
      };
    },
  };
}

function reservation(use: KeyUse, count: number, clock: () => number): Reservation {
  return {
    async settle(used) {
      use.held -= count;
      if (used === 0) return;
      const kept = Math.min(used, count);
      use.used.push({ atMs: clock(), count: kept });
      use.usedSlots += kept;
    },
  };
}

function wholeSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
