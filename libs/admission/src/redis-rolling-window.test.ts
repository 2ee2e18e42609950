import { createClient } from '@redis/client';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describeWithRedis } from '@teammemory/testkit/redis-server.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, expect, test } from 'vitest';
import { makeGateway, startGateways, type TestGateway } from './limiters.fixture.ts';
import type { Reservation } from './rolling-window.ts';
import { fullestWindow, type Write, write } from './writes.fixture.ts';

describeWithRedis('limits counted over all gateways', (server) => {
  let gateways: TestGateway[] = [];
  const start = async (options: Parameters<typeof startGateways>[1]) => {
    gateways = await startGateways(server(), options);
    return gateways.map(({ itemWrites }) => itemWrites) as [
      TestGateway['itemWrites'],
      ...TestGateway['itemWrites'][],
    ];
  };
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map(({ close }) => close()));
    await redis(server().url, 'FLUSHALL');
  });

  test('500 writes at once over three gateways admit exactly 60', async () => {
    const limiters = await start({ gateways: 3, limit: 60 });
    const attempts = Array.from({ length: 500 }, (_, index) => limiters[index % 3]);
    const admitted = await Promise.all(attempts.map((limiter) => limiter && write(limiter, 'key')));
    expect(admitted.filter(Boolean)).toHaveLength(60);
  });

  test('a count is admitted whole or not at all, and what was not used is free at once', async () => {
    const [one, other] = await start({ gateways: 2, limit: 60 });
    const startedMs = performance.now();
    expect(await write(one, 'key', { count: 59 })).toBe(true);
    const refused = (await other?.reserve('key', 2)) as { retryAfterSeconds: number };
    const quota = await other?.quota('key');
    expect(quota).toEqual({ limit: 60, windowSeconds: 60, remaining: 1, resetSeconds: expect.any(Number) });
    // A window since the write, less what has passed of it.
    for (const seconds of [refused.retryAfterSeconds, quota?.resetSeconds]) {
      expect(seconds).toBeLessThanOrEqual(60);
      expect(seconds).toBeGreaterThanOrEqual(60 - (performance.now() - startedMs) / 1000);
    }
    expect(await one.reserve('key', 61)).toEqual({ retryAfterSeconds: 60, quota });
    const held = (await other?.reserve('key', 1)) as Reservation;
    expect(await write(one, 'key')).toBe(false);
    await held.settle(0);
    expect(await write(one, 'key')).toBe(true);
    expect(await write(one, 'other key', { count: 60 })).toBe(true);
    expect(await gateways[0]?.scans.quota('key')).toMatchObject({ remaining: 60, resetSeconds: 0 });
  });

  test('a key with a limit of its own has exactly that one at every gateway', async () => {
    const limiters = await start({ gateways: 3, limit: 60 });
    const attempts = Array.from({ length: 300 }, (_, index) => limiters[index % 3]);
    const held = await Promise.all(attempts.map((limiter) => limiter?.reserve('key', 1, 250)));
    expect(held.filter((result) => result && 'settle' in result)).toHaveLength(250);
    expect(await limiters[1]?.quota('key', 250)).toMatchObject({ limit: 250, remaining: 0 });
    const small = await Promise.all(attempts.map((limiter) => limiter?.reserve('small', 1, 2)));
    expect(small.filter((result) => result && 'settle' in result)).toHaveLength(2);
    expect(await limiters[0].quota('plain')).toMatchObject({ limit: 60, remaining: 60 });
  });

  test('a limit of a million is counted in a value of bounded size', async () => {
    const windowMs = 2_000;
    const [limiter] = await start({ gateways: 1, limit: 60, windowMs });
    const endMs = performance.now() + 3_000;
    while (performance.now() < endMs) {
      const results = await Promise.all(
        Array.from({ length: 8 }, () => limiter.reserve('key', 200, 1_000_000)),
      );
      await Promise.all(results.map((result) => 'settle' in result && result.settle(200)));
    }
    const bytes = Number(await redis(server().url, 'STRLEN', 'tms:slots:{item-writes:key}'));
    // A window and the lease of holds have 1,500 moments; each takes 9 bytes, and its slots at most 5.
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(1_501 * 14 + 16);
  });

  test('no window, wherever it begins, admits more than the limit, and none stays empty for long', async () => {
    const windowMs = 1_000;
    const limiters = await start({ gateways: 3, limit: 20, windowMs });
    const random = seededRandom(11);
    const done: Write[] = [];
    const admitted = () => done.reduce((sum, { count }) => sum + count, 0);
    // Four windows, however slow the machine is.
    const [wanted, endMs] = [80, performance.now() + 15_000];
    const client = async (limiter: (typeof limiters)[number]) => {
      while (admitted() < wanted && performance.now() < endMs) {
        const count = 1 + random.integerBelow(8);
        await write(limiter, 'key', { count, used: random.integerBelow(count + 1), done });
      }
    };
    await Promise.all([...limiters, ...limiters].map(client));
    expect(fullestWindow(done, windowMs)).toBeLessThanOrEqual(20);
    expect(admitted()).toBeGreaterThanOrEqual(wanted);
  });

  test('limits above a thousand are as exact, with few stamps for many writes', async () => {
    const [limiter] = await start({ gateways: 1, limit: 100_000, windowMs: 20_000 });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => write(limiter, 'key', { count: 10 })));
    }
    expect((await limiter.quota('key')).remaining).toBe(80_000);
    expect(await write(limiter, 'key', { count: 80_001 })).toBe(false);
    const bytes = await redis(server().url, 'MEMORY', 'USAGE', 'tms:slots:{item-writes:key}');
    expect(Number(bytes)).toBeLessThan(20_000);
  });

  test('slots of a gateway that never came back count for a lease and a window, and then no more', async () => {
    const [one, other] = await start({ gateways: 2, limit: 1, windowMs: 1_000 });
    const heldAtMs = performance.now();
    expect(await one.reserve('key', 1)).toHaveProperty('settle');
    await eventually('the slot is free again', async () => other && write(other, 'key'));
    expect(performance.now() - heldAtMs).toBeGreaterThan(1_490);
  });

  test('nothing is left in Redis a window after the last write, however many keys there were', async () => {
    const [limiter] = await start({ gateways: 1, limit: 60, windowMs: 1_000 });
    const keys = Array.from({ length: 2_000 }, (_, index) => `key-${index}`);
    const writing = Promise.all(keys.map((key) => write(limiter, key, { count: 3, used: 1 })));
    await eventually('keys are there', async () => Number(await redis(server().url, 'DBSIZE')) > 1);
    await writing;
    await gateways[0]?.close();
    await eventually('Redis is empty', async () => (await redis(server().url, 'DBSIZE')) === 0);
  });

  test('a server that has forgotten the scripts counts on', async () => {
    const [limiter] = await start({ gateways: 1, limit: 2 });
    expect(await write(limiter, 'key')).toBe(true);
    await redis(server().url, 'SCRIPT', 'FLUSH');
    expect(await write(limiter, 'key')).toBe(true);
    expect(await write(limiter, 'key')).toBe(false);
    expect(await gateways[0]?.isExact()).toBe(true);
  });

  test('a gateway that has just started counts with the others from its first write', async () => {
    const [one] = await start({ gateways: 1, limit: 2 });
    expect(await write(one, 'key', { count: 2 })).toBe(true);
    const another = makeGateway(server(), { limit: 2 });
    gateways.push(another);
    expect(await write(another.itemWrites, 'key')).toBe(false);
  });

  test('holding slots and settling them each tell what is left', async () => {
    const [one, other] = await start({ gateways: 2, limit: 60 });
    const held = (await one.reserve('key', 20)) as Reservation;
    expect(held.quota).toEqual({ limit: 60, windowSeconds: 60, remaining: 40, resetSeconds: 60 });
    expect(await held.settle(5)).toMatchObject({ remaining: 55 });
    expect(await other?.reserve('key', 56)).toMatchObject({ quota: { remaining: 55 } });
    expect(await other?.quota('key')).toMatchObject({ remaining: 55 });
  });
});

async function redis(url: string, ...command: string[]): Promise<unknown> {
  const client = await createClient({ url }).connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}
