import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createRollingWindow, type Reservation } from './rolling-window.ts';

function windowAt(limit: number) {
  const clock = { nowMs: 1_000 };
  const limiter = createRollingWindow({ limit, clock: () => clock.nowMs });
  const write = async (count: number, used = count) => {
    const result = await limiter.reserve('key', count);
    if ('retryAfterSeconds' in result) return result.retryAfterSeconds;
    await result.settle(used);
    return 'admitted';
  };
  return { clock, limiter, write };
}

test('the limit is reached exactly, all or nothing', async () => {
  const { write } = windowAt(60);
  expect(await write(59)).toBe('admitted');
  expect(await write(2)).toBe(60);
  expect(await write(1)).toBe('admitted');
  expect(await write(1)).toBe(60);
});

test('after Retry-After seconds the refused count fits', async () => {
  const { clock, write } = windowAt(60);
  await write(40);
  clock.nowMs += 10_500;
  await write(20);
  expect(await write(30)).toBe(50);
  clock.nowMs += 49_000;
  expect(await write(30)).toBe(1);
  clock.nowMs += 1_000;
  expect(await write(30)).toBe('admitted');
});

test('slots that were not used are given back at once', async () => {
  const { write, limiter } = windowAt(60);
  expect(await write(60, 0)).toBe('admitted');
  expect(await write(60, 10)).toBe('admitted');
  expect((await limiter.quota('key')).remaining).toBe(50);
});

test('slots of requests under way count, so that parallel requests cannot pass the limit', async () => {
  const { limiter } = windowAt(60);
  const results = await Promise.all(Array.from({ length: 100 }, () => limiter.reserve('key', 1)));
  expect(results.filter((result) => 'settle' in result)).toHaveLength(60);
});

test('a slot counts for a whole window from the end of its write', async () => {
  const { clock, limiter, write } = windowAt(1);
  const reservation = (await limiter.reserve('key', 1)) as Reservation;
  clock.nowMs += 5_000;
  await reservation.settle(1);
  clock.nowMs += 59_999;
  expect(await write(1)).toBe(1);
  clock.nowMs += 1;
  expect(await write(1)).toBe('admitted');
});

test('a count above the whole limit is refused, and told to wait for an empty window', async () => {
  const { write } = windowAt(60);
  expect(await write(61)).toBe(60);
});

test('keys do not touch each other', async () => {
  const { limiter, write } = windowAt(1);
  await write(1);
  expect(await limiter.reserve('other', 1)).toHaveProperty('settle');
});

test('no window of 60 seconds, wherever it begins, admits more than the limit', async () => {
  const random = seededRandom(7);
  const { clock, write } = windowAt(20);
  const admitted: { atMs: number; count: number }[] = [];
  for (let round = 0; round < 3_000; round += 1) {
    clock.nowMs += random.integerBelow(4_000);
    const count = 1 + random.integerBelow(8);
    const used = random.integerBelow(count + 1);
    if ((await write(count, used)) === 'admitted') admitted.push({ atMs: clock.nowMs, count: used });
  }
  for (const { atMs: startMs } of admitted) {
    const inWindow = admitted.filter(({ atMs }) => atMs >= startMs && atMs < startMs + 60_000);
    expect(inWindow.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(20);
  }
  expect(admitted.length).toBeGreaterThan(500);
});

test('a window is 60 whole seconds, whatever fraction of a millisecond the clock shows', async () => {
  for (const nowMs of [11_378.100_6, 22_104.838_66, 55_052.501_209, 119_183.879_681]) {
    const { clock, limiter, write } = windowAt(1);
    clock.nowMs = nowMs;
    await write(1);
    expect((await limiter.quota('key')).resetSeconds).toBe(60);
    expect(await write(1)).toBe(60);
  }
});

test('a key with a limit of its own has exactly that one, and the others keep theirs', async () => {
  const { limiter } = windowAt(60);
  const write = async (key: string, count: number, ownLimit?: number) => {
    const result = await limiter.reserve(key, count, ownLimit);
    if ('settle' in result) await result.settle(count);
    return ['settle' in result, result.quota.limit, result.quota.remaining];
  };
  expect(await write('large', 200, 500)).toEqual([true, 500, 300]);
  expect(await write('large', 301, 500)).toEqual([false, 500, 300]);
  expect(await write('small', 3, 2)).toEqual([false, 2, 2]);
  expect(await write('small', 2, 2)).toEqual([true, 2, 0]);
  expect(await write('plain', 61)).toEqual([false, 60, 60]);
  expect(await limiter.quota('large', 500)).toMatchObject({ limit: 500, remaining: 300 });
});

test('no window ever admits more than a limit of a million, and a key with it takes little memory and time', async () => {
  const clock = { nowMs: 1_000 };
  const limiter = createRollingWindow({ limit: 60, clock: () => clock.nowMs });
  const million = 1_000_000;
  const admitted: { atMs: number; count: number }[] = [];
  const startedMs = performance.now();
  for (let push = 0; push < 15_000; push += 1) {
    clock.nowMs += 11;
    const result = await limiter.reserve('key', 200, million);
    if (!('settle' in result)) continue;
    await result.settle(200);
    admitted.push({ atMs: clock.nowMs, count: 200 });
  }
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(limiter.size().stamps).toBeLessThanOrEqual(1_001);
  let [sum, oldest] = [0, 0];
  for (const { atMs, count } of admitted) {
    sum += count;
    for (; (admitted[oldest]?.atMs ?? 0) <= atMs - 60_000; oldest += 1) sum -= admitted[oldest]?.count ?? 0;
    expect(sum).toBeLessThanOrEqual(million);
  }
  expect(admitted.length).toBeGreaterThan(13_000);
});

test('a limit of a million keeps a thousand stamps, none of which counts for less than a window', async () => {
  const clock = { nowMs: 1_000 };
  const limiter = createRollingWindow({ limit: 1_000_000, clock: () => clock.nowMs });
  const used = async () => 1_000_000 - (await limiter.quota('key')).remaining;
  for (let write = 0; write < 100_000; write += 1) {
    expect(limiter.take('key')).toBe(0);
    clock.nowMs += 0.5;
  }
  const settledMs = clock.nowMs;
  expect(limiter.size().stamps).toBeLessThanOrEqual(1_000);
  expect(await used()).toBe(100_000);
  clock.nowMs = settledMs + 59_999;
  expect(await used()).toBeGreaterThan(0);
  clock.nowMs = settledMs + 60_060;
  expect(await used()).toBe(0);
});

test('keys without a slot held or used are forgotten', async () => {
  const { clock, limiter } = windowAt(60);
  const [first, second] = [await limiter.reserve('key', 2), await limiter.reserve('key', 3)] as [
    Reservation,
    Reservation,
  ];
  await first.settle(1);
  clock.nowMs += 2_500;
  await second.settle(0);
  expect(limiter.size()).toEqual({ keys: 1, stamps: 1 });
  clock.nowMs += 57_500;
  expect(limiter.size()).toEqual({ keys: 0, stamps: 0 });
});

test('what is used at once counts like a reservation, and may pass the limit where it is only noted', async () => {
  const { clock, limiter } = windowAt(2);
  expect([limiter.take('key'), limiter.take('key'), limiter.take('key')]).toEqual([0, 0, 60_000]);
  expect(limiter.take('key', 3)).toBe(0);
  limiter.use('other', 5);
  expect(limiter.msUntilFree('other', 1)).toBe(60_000);
  clock.nowMs += 60_000;
  expect([limiter.take('key'), limiter.msUntilFree('other', 1)]).toEqual([0, 0]);
});

test('stamps share what they are rounded up to', () => {
  const clock = { nowMs: 1_100 };
  const limiter = createRollingWindow({ limit: 3, grainMs: 1_000, clock: () => clock.nowMs });
  for (; clock.nowMs < 1_400; clock.nowMs += 100) limiter.take('key');
  expect(limiter.size().stamps).toBe(1);
  expect(limiter.take('key')).toBe(60_600);
});
