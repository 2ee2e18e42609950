import { connectRedis } from '@teammemory/admission/redis-connection.ts';
import { createRedisRollingWindow } from '@teammemory/admission/redis-rolling-window.ts';
import { createRollingWindow, minuteMs, type RateLimiter } from '@teammemory/admission/rolling-window.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

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
}): RateLimiters {
  const { limits, redisUrl: url, clock } = options;
  const inMemory = (limit: number) => createRollingWindow({ limit, clock });
  if (url === undefined) return { ...perLimit(limits, inMemory), close: async () => {} };
  const redis = connectRedis({ ...options, url });
  const inRedis = (limit: number, name: string) =>
    createRedisRollingWindow({ name, limit, windowMs: minuteMs, redis, alone: inMemory(limit) });
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
