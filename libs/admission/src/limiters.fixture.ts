import type { Log } from '@teammemory/log/log.ts';
import { createMetrics, type Metrics } from '@teammemory/telemetry/metrics.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import type { RedisServer } from '@teammemory/testkit/redis-server.ts';
import { connectRedis } from './redis-connection.ts';
import { createRedisRollingWindow } from './redis-rolling-window.ts';
import { createRollingWindow, minuteMs, type RateLimiter } from './rolling-window.ts';

/** What one gateway counts with. */
export interface TestGateway {
  itemWrites: RateLimiter;
  scans: RateLimiter;
  metrics: Metrics;
  /** What was said at level info and above. */
  logged: string[];
  /** Whether limits are counted in Redis. */
  isExact(): Promise<boolean>;
  close(): Promise<void>;
}

/** Brings gateways up, each with a connection of its own, and waits until they count in Redis. */
export async function startGateways(
  server: Pick<RedisServer, 'url'>,
  options: { gateways: number; limit: number; windowMs?: number },
): Promise<TestGateway[]> {
  const gateways = Array.from({ length: options.gateways }, () => makeGateway(server, options));
  await eventually('all gateways count in Redis', async () => {
    const states = await Promise.all(gateways.map(({ isExact }) => isExact()));
    return states.every(Boolean);
  });
  return gateways;
}

/** One gateway, not waited for. */
export function makeGateway(
  { url }: Pick<RedisServer, 'url'>,
  { limit, windowMs = minuteMs }: { limit: number; windowMs?: number },
): TestGateway {
  const metrics = createMetrics();
  const logged: string[] = [];
  const say = (...said: unknown[]) => logged.push(`${said.at(-1)}`);
  const redis = connectRedis({ url, log: { info: say, warn: say } as unknown as Log, metrics });
  const limiter = (name: string) => {
    const alone = createRollingWindow({ clock: () => performance.now(), limit, windowMs });
    return createRedisRollingWindow({ name, limit, windowMs, redis, alone });
  };
  return {
    itemWrites: limiter('item-writes'),
    scans: limiter('scans'),
    metrics,
    logged,
    isExact: async () => (await gauge(metrics, 'teammemory_rate_limiter_redis_up')) === 1,
    close: redis.close,
  };
}

/** What a gauge or counter stands at. */
export async function gauge(metrics: Metrics, name: string): Promise<number | undefined> {
  const metric = await metrics.registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value;
}
