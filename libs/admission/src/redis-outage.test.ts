import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describeWithRedis } from '@teammemory/testkit/redis-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gauge, makeGateway, startGateways, type TestGateway } from './limiters.fixture.ts';
import type { Reservation } from './rolling-window.ts';
import { fullestWindow, type Write, write } from './writes.fixture.ts';

/** A command waits a second for Redis, and twenty would wait twenty; the rest is for a machine that is busy. */
const deadlineMs = 10_000;

describeWithRedis('limits while Redis is gone and when it is back', (server) => {
  let gateways: TestGateway[] = [];
  beforeEach(async () => {
    await server().kill();
    await server().start();
  });
  afterEach(async () => {
    server().resume();
    await Promise.all(gateways.splice(0).map(({ close }) => close()));
  });

  async function start(options: Parameters<typeof startGateways>[1]) {
    gateways = await startGateways(server(), options);
    return gateways as [TestGateway, ...TestGateway[]];
  }
  const exact = (wanted: boolean) =>
    eventually(`limits are ${wanted ? '' : 'not '}counted in Redis`, async () => {
      const states = await Promise.all(gateways.map(({ isExact }) => isExact()));
      return states.every((state) => state === wanted);
    });
  /** Writes one slot after the other until one is refused; returns how many were admitted. */
  async function fill({ itemWrites }: TestGateway, key = 'key'): Promise<number> {
    let admitted = 0;
    while (await write(itemWrites, key)) admitted += 1;
    return admitted;
  }

  test('each gateway admits the limit by its own count', async () => {
    const [one, other] = await start({ gateways: 2, limit: 31 });
    await write(one.itemWrites, 'key', { count: 6 });
    await server().kill();
    expect([await fill(one), other && (await fill(other))]).toEqual([31, 31]);
    expect(await one.itemWrites.quota('key')).toMatchObject({ limit: 31, remaining: 0 });
    expect(await one.itemWrites.reserve('key', 1)).toMatchObject({
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 50 && seconds <= 60),
    });
  });

  test('under load no window of one gateway alone admits more than the limit, and after the return none of all', async () => {
    const [windowMs, limit] = [1_000, 30];
    await start({ gateways: 3, limit, windowMs });
    const ended = new AbortController();
    const writes = gateways.map((): Write[] => []);
    const load = gateways.map(async ({ itemWrites }, index) => {
      const how = { done: writes[index] ?? [] };
      while (!ended.signal.aborted) {
        await Promise.all([write(itemWrites, 'key', how), write(itemWrites, 'key', how)]);
        await delay(5);
      }
    });
    await delay(2 * windowMs);
    const before = fullestWindow(writes.flat(), windowMs);
    await server().kill();
    await exact(false);
    const aloneMs = performance.now();
    const alone = () => writes.map((own) => fullestWindow(own, windowMs, aloneMs));
    await eventually('each has used the limit', () => alone().every((most) => most === limit));
    await delay(2 * windowMs);
    const most = alone();
    await server().start();
    await exact(true);
    const returnMs = performance.now();
    const used = () => fullestWindow(writes.flat(), windowMs, returnMs);
    await eventually('most of the limit is used again', () => used() > limit / 2);
    await delay(3 * windowMs);
    ended.abort();
    await Promise.all(load);
    expect(before).toBeLessThanOrEqual(limit);
    expect(most).toEqual(gateways.map(() => limit));
    expect(used()).toBeLessThanOrEqual(limit);
  }, 40_000);

  test('a server that comes back empty counts from nothing, for all gateways, and it is logged once', async () => {
    const [one, other] = await start({ gateways: 2, limit: 60 });
    await write(one.itemWrites, 'key', { count: 10 });
    const held = (await one.itemWrites.reserve('key', 5)) as Reservation;
    await server().kill();
    expect([await fill(one), other && (await fill(other))]).toEqual([60, 60]);
    const heldAlone = (await one.itemWrites.reserve('other key', 5)) as Reservation;
    await server().start();
    await exact(true);
    // Settling tells a server that forgot a hold how many of its slots were used.
    expect(await held.settle(2)).toMatchObject({ remaining: 58 });
    await heldAlone.settle(5);
    expect([await fill(one), other && (await fill(other))]).toEqual([58, 0]);
    expect(await fill(one, 'other key')).toBe(60);
    expect(await gauge(one.metrics, 'teammemory_rate_limiter_redis_losses_total')).toBe(1);
    const exactly = 'limits are counted over all gateways';
    const gone = 'Redis is gone: each gateway counts by itself';
    for (const { logged } of gateways) expect(logged).toEqual([exactly, gone, exactly]);
  }, 40_000);

  test('a server that hangs delays one write by its deadline, and its count is whole when it goes on', async () => {
    const [one, other] = await start({ gateways: 2, limit: 60 });
    await write(one.itemWrites, 'key', { count: 10 });
    await write(one.itemWrites, 'second key', { count: 10 });
    server().hang();
    const hungMs = performance.now();
    expect(await write(one.itemWrites, 'key')).toBe(true);
    expect(performance.now() - hungMs).toBeLessThan(deadlineMs);
    const lostMs = performance.now();
    expect(await fill(one)).toBe(59);
    expect(performance.now() - lostMs).toBeLessThan(deadlineMs);
    await exact(false);
    expect(other && (await fill(other))).toBe(60);
    server().resume();
    await exact(true);
    // The slot that was to be held while it hung is held when it goes on: nobody settles it.
    expect([49, 50]).toContain(await fill(one));
    expect(other && (await fill(other))).toBe(0);
    expect(await fill(one, 'second key')).toBe(50);
    expect(await fill(one, 'untouched key')).toBe(60);
  }, 40_000);

  test('a server that takes no writes counts as gone, until it takes them again', async () => {
    const [one] = await start({ gateways: 1, limit: 60 });
    await command(server().url, 'CONFIG', 'SET', 'maxmemory', '1');
    expect(await fill(one)).toBe(60);
    await exact(false);
    expect(await fill(one, 'second key')).toBe(60);
    await command(server().url, 'CONFIG', 'SET', 'maxmemory', '0');
    await exact(true);
    expect(await fill(one, 'second key')).toBe(60);
  }, 40_000);

  test('a gateway that starts while Redis is gone counts by itself, and in Redis when it is there', async () => {
    await server().kill();
    const gateway = makeGateway(server(), { limit: 60 });
    gateways = [gateway];
    expect(await fill(gateway)).toBe(60);
    expect(await gateway.itemWrites.quota('key')).toMatchObject({ limit: 60, remaining: 0 });
    expect(await gauge(gateway.metrics, 'teammemory_rate_limiter_redis_losses_total')).toBe(0);
    expect(gateway.logged).toEqual(['Redis is gone: each gateway counts by itself']);
    await server().start();
    await exact(true);
    expect(await fill(gateway)).toBe(60);
  });
});

async function command(url: string, ...words: string[]): Promise<void> {
  const client = await createClient({ url }).connect();
  await client.sendCommand(words);
  client.destroy();
}
