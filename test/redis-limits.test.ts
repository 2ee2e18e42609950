import { randomUUID } from 'node:crypto';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { describeWithRedis, type RedisServer } from '@teammemory/testkit/redis-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/api.ts';
import { type KeyHolder, keyHolder, newTeam } from './support/key-holder.ts';
import { type StartedService, startService } from './support/running-service.ts';

/** Two programs on one database start, and 500 requests are answered, on a machine that is busy. */
const testTimeoutMs = 60_000;

const mongo = mongoServerForTests();
const reason = 'reason' in mongo ? ` (skipped: ${mongo.reason})` : '';

describe.skipIf('reason' in mongo)(`two gateways on one database${reason}`, () => {
  describeWithRedis('with Redis', declareTests);
});

function declareTests(redis: () => RedisServer): void {
  let services: StartedService[] = [];
  beforeAll(async () => {
    const options = {
      ...('url' in mongo ? { mongodbUrl: mongo.url } : {}),
      environment: { REDIS_URL: redis().url, MONGODB_DATABASE: `test_${randomUUID().replaceAll('-', '')}` },
    };
    services = await Promise.all([startService(options), startService(options)]);
    await ready();
  }, testTimeoutMs);
  afterAll(async () => {
    await Promise.all(services.map(({ remove }) => remove()));
  }, testTimeoutMs);

  const ready = () =>
    eventually('both gateways are ready', async () => {
      const answers = await Promise.all(services.map(({ url }) => fetch(`${url}/readyz`)));
      return answers.every(({ status }) => status === 200);
    });
  const exact = () =>
    eventually('limits are counted over both gateways', async () => {
      const pages = await Promise.all(
        services.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()),
      );
      return pages.every((page) => /^rate_limiter_redis_up 1$/m.test(page));
    });
  /** The same new key at each gateway. */
  async function newKey(): Promise<KeyHolder[]> {
    const { slug, team } = await newTeam(services[0] as StartedService);
    return services.map((service) => keyHolder(service, { slug }, team.key));
  }
  /** How many of so many single writes at once, spread over the gateways, were admitted. */
  async function admitted(key: KeyHolder[], writes: number): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: writes }, (_, index) => key[index % key.length]?.push(item(`${randomUUID()}.md`))),
    );
    const statuses = answers.map((answer) => answer?.status);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    return statuses.filter((status) => status === 200).length;
  }

  test('500 writes at once on one key admit exactly 60', { timeout: testTimeoutMs }, async () => {
    const key = await newKey();
    expect(await admitted(key, 500)).toBe(60);
    expect(await key[0]?.rows('?limit=200')).toHaveLength(60);
  });

  test('without Redis writes go on, 30 at each gateway, and count when Redis is back', {
    timeout: testTimeoutMs,
  }, async () => {
    const [before, after] = [await newKey(), await newKey()];
    await redis().kill();
    expect(await admitted(before, 200)).toBe(60);
    expect(await admitted(after.slice(0, 1), 100)).toBe(30);
    await ready();
    await redis().start();
    await exact();
    expect(await admitted(before, 10)).toBe(0);
    expect(await admitted(after.slice(1), 100)).toBe(30);
  });
}
