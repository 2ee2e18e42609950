import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { describeWithRedis, type RedisServer } from '@teammemory/testkit/redis-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam } from './support/http/key-holder.ts';
import { readMetric } from './support/service/read-metric.ts';
import { type StartedService, startService } from './support/service/running-service.ts';

/** Two programs on one database start, and 500 requests are answered, on a machine that is busy. */
const testTimeoutMs = 120_000;

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
      return pages.every((page) => /^teammemory_rate_limiter_redis_up 1$/m.test(page));
    });
  /** The same new key at each gateway. */
  async function newKey(): Promise<KeyHolder[]> {
    const { slug, team } = await newTeam(services[0] as StartedService);
    return services.map((service) => keyHolder(service, { slug }, team.key));
  }
  const losses = async () => {
    const counts = services.map(({ metricsUrl }) =>
      readMetric(metricsUrl, 'teammemory_rate_limiter_redis_losses_total'),
    );
    return (await Promise.all(counts)).join();
  };
  /** How many of so many single writes at once, spread over the gateways, were admitted; undefined if some were not stored. */
  async function admitted(key: KeyHolder[], writes: number): Promise<number | undefined> {
    const answers = await Promise.all(
      Array.from({ length: writes }, (_, index) => key[index % key.length]?.push(item(`${randomUUID()}.md`))),
    );
    const statuses = answers.map((answer) => answer?.status);
    if (statuses.includes(503)) return undefined;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    return statuses.filter((status) => status === 200).length;
  }
  /**
   * The same with a new key, again where the machine was too busy: a gateway that has waited a second for Redis counts by
   * itself, and rows that are admitted are not stored in time.
   */
  async function admittedOfNewKey(
    writes: number,
    untilReady: () => Promise<unknown>,
  ): Promise<{ key: KeyHolder[]; count: number }> {
    for (;;) {
      await untilReady();
      const before = await losses();
      const key = await newKey();
      const count = await admitted(key, writes);
      if (count !== undefined && (await losses()) === before) return { key, count };
    }
  }

  test('500 writes at once on one key admit exactly 60', { timeout: testTimeoutMs }, async () => {
    const { key, count } = await admittedOfNewKey(500, exact);
    expect(count).toBe(60);
    expect(await key[0]?.rows('?limit=200')).toHaveLength(60);
  });

  test('a push asks Redis twice, for its slots and to settle them, and a refusal once', {
    timeout: testTimeoutMs,
  }, async () => {
    const [key] = (await newKey()) as [KeyHolder];
    const asked = async (push: () => Promise<{ status: number; headers: Headers }>) => {
      const before = await scriptCalls(redis());
      const { status, headers } = await push();
      return { status, quota: headers.get('ratelimit'), calls: (await scriptCalls(redis())) - before };
    };
    const ofOne = () => key.push(item('one.md'));
    const quota = expect.stringMatching(/^"item-writes";r=59;t=(5\d|60)$/);
    expect(await asked(ofOne)).toEqual({ status: 200, quota, calls: 2 });
    const invalid = { status: 422, quota: expect.stringContaining('r=59'), calls: 1 };
    expect(await asked(() => key.call('/items', { body: { items: 'none' } }))).toEqual(invalid);
    await key.push(...Array.from({ length: 59 }, (_, index) => item(`${index}.md`)));
    const refused = { status: 429, quota: expect.stringContaining('r=0'), calls: 1 };
    expect(await asked(() => key.push(item('another.md')))).toEqual(refused);
  });

  test('without Redis each gateway counts by itself and stays ready, and when Redis is back they count together', {
    timeout: testTimeoutMs,
  }, async () => {
    await redis().kill();
    const { key, count } = await admittedOfNewKey(200, ready);
    expect([count, await admitted(key, 10)]).toEqual([120, 0]);
    const answers = await Promise.all(services.map(({ url }) => fetch(`${url}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await redis().start();
    expect((await admittedOfNewKey(200, exact)).count).toBe(60);
  });
}

/** How often the server was asked to run a script that it knows. */
async function scriptCalls({ url }: RedisServer): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    socket.write('INFO commandstats\r\n');
    const [answer] = await once(socket, 'data');
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(String(answer))?.[1] ?? 0);
  } finally {
    socket.destroy();
  }
}
