import { type Quota, type RateLimiter, wholeSeconds } from './rate-limiter.ts';
import type { WindowLedger } from './window-ledger.ts';

/**
 * An exact rolling window in memory, right for one gateway process: no 60
 * seconds, wherever they begin, ever admit more than `limit`.
 */
export function createRollingWindow(options: { limit: number; ledger: WindowLedger }): RateLimiter {
  const { limit: ofAllKeys, ledger } = options;

  function quotaOf(key: string, limit: number): Quota {
    const taken = ledger.taken(key);
    const remaining = Math.max(0, limit - taken);
    return {
      limit,
      windowSeconds: wholeSeconds(ledger.windowMs),
      remaining,
      resetSeconds: taken === 0 ? 0 : wholeSeconds(ledger.msUntilFree(key, remaining + 1, limit)),
    };
  }

  return {
    limit: ofAllKeys,
    async reserve(key, count, limit = ofAllKeys) {
      if (ledger.taken(key) + count > limit) {
        const retryAfterSeconds = Math.max(1, wholeSeconds(ledger.msUntilFree(key, count, limit)));
        return { retryAfterSeconds, quota: quotaOf(key, limit) };
      }
      ledger.hold(key, count);
      return {
        quota: quotaOf(key, limit),
        async settle(used) {
          ledger.settle(key, count, used, limit);
          return quotaOf(key, limit);
        },
      };
    },
    quota: async (key, limit = ofAllKeys) => quotaOf(key, limit),
  };
}
