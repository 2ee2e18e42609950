import type { Quota, RateLimiter } from './rate-limiter.ts';
import type { WindowLedger } from './window-ledger.ts';

/**
 * An exact rolling window in memory, right for one gateway process: no 60
 * seconds, wherever they begin, ever admit more than `limit`.
 *
 * `share` is what of the limit may be admitted here at this moment: all of it, where it is not given.
 */
export function createRollingWindow(options: {
  limit: number;
  ledger: WindowLedger;
  share?: () => number;
}): RateLimiter {
  const { limit, ledger, share = () => limit } = options;
  return {
    async reserve(key, count) {
      const cap = share();
      if (ledger.taken(key) + count > cap) {
        return { retryAfterSeconds: Math.max(1, wholeSeconds(ledger.msUntilFree(key, count, cap))) };
      }
      ledger.hold(key, count);
      return { settle: async (used) => ledger.settle(key, count, used) };
    },
    async quota(key): Promise<Quota> {
      const cap = share();
      const taken = ledger.taken(key);
      const remaining = Math.max(0, cap - taken);
      return {
        limit,
        windowSeconds: wholeSeconds(ledger.windowMs),
        remaining,
        resetSeconds: taken === 0 ? 0 : wholeSeconds(ledger.msUntilFree(key, remaining + 1, cap)),
      };
    },
  };
}

function wholeSeconds(milliseconds: number): number {
  // Sums of fractions leave a rest far below a microsecond, which must not become a second of its own.
  return Math.ceil(Math.round(milliseconds * 1000) / 1_000_000);
}
