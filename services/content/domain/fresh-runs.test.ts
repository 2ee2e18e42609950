import { expect, test } from 'vitest';
import { createFreshRuns } from './fresh-runs.ts';

/** Work that the test lets end, one run after the other. */
function heldWork() {
  const ends: PromiseWithResolvers<void>[] = [];
  const runs = createFreshRuns(() => {
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
