import { expect, test } from 'vitest';
import { growthOf, processorMilliseconds } from './processor-time.ts';

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

let sum = 0;

/** Work of so many steps. */
function steps(count: number): void {
  for (let step = 0; step < count; step += 1) sum = (sum * 31 + step) % 1_000_003;
}

const shapes = [
  { opening: '', unit: 'a' },
  { opening: '>', unit: 'b\n' },
];
const options = { characters: 8_192, withinMs: 10_000 };

test('work that takes four times as long for twice the text is found, with its shape', () => {
  const isSlow = (text: string) => text.startsWith('>');
  const work = (text: string) => steps(isSlow(text) ? text.length ** 2 : text.length);
  const { checked, tooFast } = growthOf(work, shapes, options);
  expect(checked).toBe(2);
  expect(tooFast).toEqual([expect.stringMatching(/^[34]\.\d\d .*"opening":">"/)]);
});

test('slow work that takes twice as long for twice the text is not', () => {
  expect(growthOf((text) => steps(text.length * 2_000), shapes, options).tooFast).toEqual([]);
});
