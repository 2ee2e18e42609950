import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRedisContact } from './redis-contact.ts';
import { createRedisRollingWindow } from './redis-rolling-window.ts';
import { createRollingWindow } from './rolling-window.ts';
import { createWindowLedger, minuteMs } from './window-ledger.ts';

/** Something counted for each of the limits. */
export interface PerLimit<Value> {
  itemWrites: Value;
  questions: Value;
  scans: Value;
  snapshots: Value;
}

/** The limits of a gateway, per key. */
export interface RateLimiters extends PerLimit<RateLimiter> {
  /** Throws AppError `unavailable` until limits can be counted; never again after that, also with Redis gone. */
  ready(): Promise<void>;
  /** Leaves the other gateways; what was admitted stays counted. */
  close(): Promise<void>;
}

/** Makes the limiters: counted in Redis over all gateways, or in this process alone without a `redisUrl`. */
export function createRateLimiters(options: {
  /** Slots per window and key. */
  limits: PerLimit<number>;
  redisUrl: string | undefined;
  /** Milliseconds that never go back. */
  clock: () => number;
  log: Log;
  metrics: Metrics;
  /** Shorter in tests. */
  windowMs?: number;
}): RateLimiters {
  const { limits, redisUrl: url, clock, windowMs = minuteMs } = options;
  if (url === undefined) {
    const limiter = (limit: number) =>
      createRollingWindow({ limit, ledger: createWindowLedger({ clock, limit, windowMs }) });
    return { ...perLimit(limits, limiter), ready: async () => {}, close: async () => {} };
  }
  const contact = createRedisContact({ ...options, url, windowMs });
  const limiters = perLimit(limits, (limit, name) =>
    createRedisRollingWindow({ name, limit, clock, windowMs, contact }),
  );
  contact.start((session) => Promise.all(Object.values(limiters).map((limiter) => limiter.restore(session))));
  return { ...limiters, ready: contact.ready, close: contact.close };
}

function perLimit<Limiter>(
  limits: PerLimit<number>,
  make: (limit: number, name: string) => Limiter,
): PerLimit<Limiter> {
  return {
    itemWrites: make(limits.itemWrites, 'item-writes'),
    questions: make(limits.questions, 'questions'),
    scans: make(limits.scans, 'scans'),
    snapshots: make(limits.snapshots, 'snapshots'),
  };
}
