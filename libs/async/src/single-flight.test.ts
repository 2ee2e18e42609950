import { expect, test } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

/** Work that the test lets end, one run after the other. */
function heldWork() {
  const ends: PromiseWithResolvers<void>[] = [];
  const runs = createSingleFlight(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  return { ends, runs };
}

test('who comes while a run is under way shares the next one', async () => {
  const { ends, runs } = heldWork();
  const first = runs.run('a');
  const later = [runs.run('a'), runs.run('a')];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all(later);
  expect(ends).toHaveLength(2);
});

test('runs of different keys do not wait for each other', async () => {
  const { ends, runs } = heldWork();
  const all = [runs.run('a'), runs.run('b')];
  expect(ends).toHaveLength(2);
  for (const { resolve } of ends) resolve();
  await Promise.all(all);
});

test('a failure reaches its own callers only, and the next run begins all the same', async () => {
  const { ends, runs } = heldWork();
  const [failing, next] = [runs.run('a'), runs.run('a')];
  ends[0]?.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  ends[1]?.resolve();
  await expect(next).resolves.toBeUndefined();
});

test('is settled when the last run is over', async () => {
  const { ends, runs } = heldWork();
  const all = [runs.run('a'), runs.run('a')];
  let isSettled = false;
  const settled = runs.settled().then(() => {
    isSettled = true;
  });
  ends[0]?.resolve();
  await all[0];
  expect(isSettled).toBe(false);
  ends[1]?.resolve();
  await settled;
});

/** Work whose runs end when the test says so. */
function heldResults() {
  const runs: PromiseWithResolvers<number>[] = [];
  const { run, settled } = createSingleFlight(() => {
    const held = Promise.withResolvers<number>();
    runs.push(held);
    return held.promise;
  });
  return { run, settled, runs };
}

test('a caller gets a run that began after its call; those who wait share one', async () => {
  const { run, runs } = heldResults();
  const first = run('team');
  const [second, third] = [run('team'), run('team')];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve(1);
  expect(await first).toBe(1);
  await expect.poll(() => runs.length).toBe(2);
  const fourth = run('team');
  runs[1]?.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve(3);
  expect(await fourth).toBe(3);
});

test('a failure reaches the callers of that run only', async () => {
  const { run, runs } = heldResults();
  const [first, second] = [run('team'), run('team')];
  runs[0]?.reject(new Error('outage'));
  await expect(first).rejects.toThrow('outage');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('keys do not wait for each other', () => {
  const { run, runs } = heldResults();
  run('one');
  run('two');
  expect(runs).toHaveLength(2);
});

test('it is settled when the runs that wait have ended too, however they ended', async () => {
  const { run, settled, runs } = heldResults();
  const [first, second] = [run('team'), run('team')];
  let isSettled = false;
  const end = settled().then(() => {
    isSettled = true;
  });
  runs[0]?.reject(new Error('outage'));
  await expect(first).rejects.toThrow('outage');
  await expect.poll(() => runs.length).toBe(2);
  expect(isSettled).toBe(false);
  runs[1]?.resolve(2);
  await end;
  expect(await second).toBe(2);
});
