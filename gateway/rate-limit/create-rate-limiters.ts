import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { connectRedis } from './redis-connection.ts';
import { createRedisRollingWindow } from './redis-rolling-window.ts';
import { createRollingWindow } from './rolling-window.ts';
import { createWindowLedger, minuteMs } from './window-ledger.ts';

/** Something counted for each of the limits. */
export interface PerLimit<Value> {
  itemWrites: Value;
  questions: Value;
  searches: Value;
  scans: Value;
  snapshots: Value;
  signInLinks: Value;
  signIns: Value;
  mcpMessages: Value;
}

/** The limits of a gateway, per key. */
export interface RateLimiters extends PerLimit<RateLimiter> {
  /** What was admitted stays counted. */
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
  const inMemory = (limit: number) =>
    createRollingWindow({ limit, ledger: createWindowLedger({ clock, limit, windowMs }) });
  if (url === undefined) return { ...perLimit(limits, inMemory), close: async () => {} };
  const redis = connectRedis({ ...options, url });
  const inRedis = (limit: number, name: string) =>
    createRedisRollingWindow({ name, limit, windowMs, redis, alone: inMemory(limit) });
  return { ...perLimit(limits, inRedis), close: redis.close };
}

function perLimit(
  limits: PerLimit<number>,
  make: (limit: number, name: string) => RateLimiter,
): PerLimit<RateLimiter> {
  return {
    itemWrites: make(limits.itemWrites, 'item-writes'),
    questions: make(limits.questions, 'questions'),
    searches: make(limits.searches, 'searches'),
    scans: make(limits.scans, 'scans'),
    snapshots: make(limits.snapshots, 'snapshots'),
    signInLinks: make(limits.signInLinks, 'sign-in-links'),
    signIns: make(limits.signIns, 'sign-ins'),
    mcpMessages: make(limits.mcpMessages, 'mcp-messages'),
  };
}
