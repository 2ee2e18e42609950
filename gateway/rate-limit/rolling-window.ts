import { type Quota, type RateLimiter, wholeSeconds } from './rate-limiter.ts';
import type { WindowLedger } from './window-ledger.ts';

/**
 * An exact rolling window in memory, right for one gateway process: no 60
 * seconds, wherever they begin, ever admit more than `limit`.
 */
export function createRollingWindow({ limit, ledger }: { limit: number; ledger: WindowLedger }): RateLimiter {
  const msUntilFree = (key: string, count: number) => ledger.msUntilFree(key, count, limit);

  function quotaOf(key: string): Quota {
    const taken = ledger.taken(key);
    const remaining = Math.max(0, limit - taken);
    return {
      limit,
      windowSeconds: wholeSeconds(ledger.windowMs),
      remaining,
      resetSeconds: taken === 0 ? 0 : wholeSeconds(msUntilFree(key, remaining + 1)),
    };
  }

  return {
    async reserve(key, count) {
      if (ledger.taken(key) + count > limit) {
        const retryAfterSeconds = Math.max(1, wholeSeconds(msUntilFree(key, count)));
        return { retryAfterSeconds, quota: quotaOf(key) };
      }
      ledger.hold(key, count);
      return {
        quota: quotaOf(key),
        async settle(used) {
          ledger.settle(key, count, used);
          return quotaOf(key);
        },
      };
    },
    quota: async (key) => quotaOf(key),
  };
}
