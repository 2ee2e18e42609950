import { expect, test } from 'vitest';
import { processorMilliseconds } from './processor-milliseconds.ts';

const pauseMs = 300;

test('counts what a thread computes, and not what it waits for', () => {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  expect(processorMilliseconds(() => Atomics.wait(pause, 0, 0, pauseMs))).toBeLessThan(pauseMs / 2);
  const computing = processorMilliseconds(() => {
    const before = process.threadCpuUsage().user;
    while (process.threadCpuUsage().user - before < pauseMs * 1000);
  });
  expect(computing).toBeGreaterThanOrEqual(pauseMs);
});
