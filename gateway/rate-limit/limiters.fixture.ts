import type { Log } from '@teammemory/log/log.ts';
import { createMetrics, type Metrics } from '@teammemory/telemetry/metrics.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import type { RedisServer } from '@teammemory/testkit/redis-server.ts';
import { createRateLimiters, type RateLimiters } from './create-rate-limiters.ts';

/** What one gateway counts with. */
export interface TestGateway extends RateLimiters {
  metrics: Metrics;
  /** What was said at level info and above. */
  logged: string[];
  /** Whether limits are counted in Redis. */
  isExact(): Promise<boolean>;
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
  { limit, windowMs }: { limit: number; windowMs?: number },
): TestGateway {
  const metrics = createMetrics();
  const logged: string[] = [];
  const say = (...said: unknown[]) => logged.push(`${said.at(-1)}`);
  const limiters = createRateLimiters({
    limits: {
      itemWrites: limit,
      questions: limit,
      searches: limit,
      scans: limit,
      snapshots: limit,
      signInLinks: limit,
      signIns: limit,
      mcpMessages: limit,
    },
    redisUrl: url,
    clock: () => performance.now(),
    log: { info: say, warn: say } as unknown as Log,
    metrics,
    ...(windowMs === undefined ? {} : { windowMs }),
  });
  return {
    ...limiters,
    metrics,
    logged,
    isExact: async () => (await gauge(metrics, 'teammemory_rate_limiter_redis_up')) === 1,
  };
}

/** What a gauge or counter stands at. */
export async function gauge(metrics: Metrics, name: string): Promise<number | undefined> {
  const metric = await metrics.registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value;
}
