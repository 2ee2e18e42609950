import { expect, test } from 'vitest';
import { createFreshRuns } from './fresh-runs.ts';

/** Work whose runs end when the test says so. */
function heldWork() {
  const runs: PromiseWithResolvers<number>[] = [];
  const { run, settled } = createFreshRuns(() => {
    const held = Promise.withResolvers<number>();
    runs.push(held);
    return held.promise;
  });
  return { run, settled, runs };
}

test('a caller gets a run that began after its call; those who wait share one', async () => {
  const { run, runs } = heldWork();
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
  const { run, runs } = heldWork();
  const [first, second] = [run('team'), run('team')];
  runs[0]?.reject(new Error('outage'));
  await expect(first).rejects.toThrow('outage');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('keys do not wait for each other', () => {
  const { run, runs } = heldWork();
  run('one');
  run('two');
  expect(runs).toHaveLength(2);
});

test('it is settled when the runs that wait have ended too, however they ended', async () => {
  const { run, settled, runs } = heldWork();
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
