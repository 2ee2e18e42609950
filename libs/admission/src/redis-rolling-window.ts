import { AppError } from '@teammemory/errors/app-error.ts';
import { type RedisConnection, readRedisScript } from './redis-connection.ts';
import { type Quota, type RateLimiter, stampGrainMs } from './rolling-window.ts';

const script = readRedisScript('rolling-window.lua');

/** What the script returns. */
type Counted = [hold: number, waitMs: number, remaining: number, resetMs: number];

/**
 * An exact rolling window over all gateways, counted by one script in Redis.
 * While Redis does not answer, `alone` counts, by itself and from nothing
 * (docs/adr/0024-limits-without-membership.md).
 *
 * `reserve` throws AppError `unavailable` when too many commands wait for Redis.
 */
export function createRedisRollingWindow(options: {
  /** Distinguishes limits in Redis. */
  name: string;
  limit: number;
  windowMs: number;
  redis: RedisConnection;
  alone: RateLimiter;
}): RateLimiter {
  const { name, limit: ofAllKeys, windowMs, redis, alone } = options;
  // Longer than any call behind the gateway takes: slots of a gateway that was killed are taken so long, and a window.
  const leaseMs = Math.ceil(windowMs / 2);

  /** Returns undefined where Redis does not answer. */
  async function count(
    key: string,
    limit: number,
    ...operation: (string | number)[]
  ): Promise<Counted | undefined> {
    const times = [windowMs, leaseMs, stampGrainMs(limit, windowMs)].map((ms) => ms * 1000);
    // In braces: the part of the name that Redis Cluster places keys by.
    const answer = await redis.evaluate(script, `tms:slots:{${name}:${key}}`, [
      limit,
      ...times,
      ...operation,
    ]);
    return answer as Counted | undefined;
  }

  function quotaOf([, , remaining, resetMs]: Counted, limit: number): Quota {
    const windowSeconds = Math.ceil(windowMs / 1000);
    return { limit, windowSeconds, remaining, resetSeconds: Math.ceil(resetMs / 1000) };
  }

  return {
    limit: ofAllKeys,
    async reserve(key, slots, limit = ofAllKeys) {
      if (redis.isBusy()) {
        throw new AppError('unavailable', 'The limits cannot be counted at this moment.');
      }
      const counted = await count(key, limit, 'reserve', slots);
      if (counted === undefined) return alone.reserve(key, slots, limit);
      const [hold, waitMs] = counted;
      const quota = quotaOf(counted, limit);
      if (waitMs > 0) return { retryAfterSeconds: Math.ceil(waitMs / 1000), quota };
      return {
        quota,
        async settle(used) {
          // Where Redis is lost by now, it forgets the hold when its lease and a window are over.
          const settled = await count(key, limit, 'settle', hold, slots, Math.min(used, slots));
          return settled === undefined ? alone.quota(key, limit) : quotaOf(settled, limit);
        },
      };
    },
    async quota(key, limit = ofAllKeys) {
      const counted = redis.isBusy() ? undefined : await count(key, limit, 'quota');
      return counted === undefined ? alone.quota(key, limit) : quotaOf(counted, limit);
    },
  };
}
