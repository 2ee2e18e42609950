import { expect, test } from 'vitest';
import { yieldingToEventLoop } from './yielding-to-event-loop.ts';

test('gives the same values in order', async () => {
  expect(await Array.fromAsync(yieldingToEventLoop([3, 1, 2]))).toEqual([3, 1, 2]);
});

test('other work gets its turn while long work goes on', async () => {
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  for await (const _ of yieldingToEventLoop([1, 2, 3, 4])) {
    const started = performance.now();
    while (performance.now() - started < 12);
  }
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
});
