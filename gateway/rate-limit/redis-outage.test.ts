import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describeWithRedis } from '@teammemory/testkit/redis-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gauge, makeGateway, startGateways, type TestGateway } from './limiters.fixture.ts';
import type { Reservation } from './rate-limiter.ts';
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
    eventually(`limits are ${wanted ? '' : 'not '}counted over all gateways`, async () => {
      const states = await Promise.all(gateways.map(({ isExact }) => isExact()));
      return states.every((state) => state === wanted);
    });
  /** Writes one slot after the other until one is refused; answers how many were admitted. */
  async function fill({ itemWrites }: TestGateway, key = 'key'): Promise<number> {
    let admitted = 0;
    while (await write(itemWrites, key)) admitted += 1;
    return admitted;
  }

  test('each gateway admits its share, less what it admitted before the loss', async () => {
    const [one, other, third] = await start({ gateways: 3, limit: 31 });
    await write(one.itemWrites, 'key', { count: 6 });
    await write(one.itemWrites, 'key', { count: 5, used: 1 });
    await server().kill();
    expect([await fill(one), other && (await fill(other)), third && (await fill(third))]).toEqual([
      3, 10, 10,
    ]);
    expect(await one.itemWrites.quota('key')).toMatchObject({ limit: 31, remaining: 0 });
    await Promise.all(gateways.map(({ ready }) => ready()));
  });

  test('more gateways than the limit has slots admit nothing', async () => {
    await start({ gateways: 3, limit: 2 });
    await server().kill();
    for (const gateway of gateways) expect(await fill(gateway)).toBe(0);
  });

  test('under load no window that begins after kill -9 admits more than the limit, through the return too', async () => {
    const [windowMs, limit] = [1_500, 30];
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
    await delay(windowMs);
    await server().kill();
    const lossMs = performance.now();
    const afterLoss = (some: Write[]) => fullestWindow(some, windowMs, lossMs);
    const share = limit / gateways.length;
    await delay(2 * windowMs);
    await eventually('each has used its share', () => writes.every((own) => afterLoss(own) >= share));
    const alone = writes.map(afterLoss);
    const returnMs = performance.now();
    await server().start();
    await exact(true);
    await delay(2 * windowMs);
    const used = () => fullestWindow(writes.flat(), windowMs, returnMs + windowMs);
    await eventually('most of the limit is used again', () => used() > limit / 2);
    ended.abort();
    await Promise.all(load);
    expect(alone).toEqual(gateways.map(() => share));
    expect(afterLoss(writes.flat())).toBeLessThanOrEqual(limit);
  }, 40_000);

  test('a server that comes back empty is told what was admitted before and without it, and it is logged once', async () => {
    const [one, other] = await start({ gateways: 2, limit: 60 });
    await write(one.itemWrites, 'key', { count: 10 });
    const held = (await one.itemWrites.reserve('key', 5)) as Reservation;
    await server().kill();
    expect([await fill(one), other && (await fill(other))]).toEqual([15, 30]);
    await server().start();
    await exact(true);
    expect(await fill(one)).toBe(0);
    await held.settle(2);
    expect(other && (await fill(other))).toBe(3);
    expect(await fill(one, 'untouched key')).toBe(60);
    expect(await gauge(one.metrics, 'rate_limiter_redis_losses_total')).toBe(1);
    const exactly = 'limits are counted over all gateways';
    const gone = 'Redis is gone: limits are shared out between gateways';
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
    expect(await fill(one)).toBe(19);
    expect(performance.now() - lostMs).toBeLessThan(deadlineMs);
    await exact(false);
    expect(other && (await fill(other))).toBe(30);
    server().resume();
    await exact(true);
    expect([await fill(one), other && (await fill(other))]).toEqual([0, 0]);
    expect(await fill(one, 'second key')).toBe(50);
    expect(await fill(one, 'untouched key')).toBe(60);
  }, 40_000);

  test('a gateway keeps to its share for a window when another one does not come back', async () => {
    const windowMs = 5_000;
    const [one] = await start({ gateways: 2, limit: 60, windowMs });
    await server().kill();
    await exact(false);
    await gateways.pop()?.close();
    const returnMs = performance.now();
    await server().start();
    expect(await fill(one)).toBe(30);
    await exact(true);
    expect(performance.now() - returnMs).toBeGreaterThan(windowMs);
    let looks = 0;
    const fillAnother = () => {
      looks += 1;
      return fill(one, `key ${looks}`);
    };
    await eventually('its limit is whole', async () => (await fillAnother()) === 60);
  }, 40_000);

  test('before Redis was first reached nothing is admitted, and the gateway is not ready', async () => {
    await server().kill();
    const gateway = makeGateway(server(), { limit: 60 });
    gateways = [gateway];
    await expect(gateway.itemWrites.reserve('key', 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await gateway.itemWrites.quota('key')).toMatchObject({ limit: 60, remaining: 0 });
    await expect(gateway.ready()).rejects.toMatchObject({ code: 'unavailable' });
    await server().start();
    await eventually('the gateway is ready', () => gateway.ready().then(() => true));
    expect(await fill(gateway)).toBe(60);
  });
});
