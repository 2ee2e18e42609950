import { expect, test } from 'vitest';
import { roundHalfUp } from './scored-rows.ts';

test.each([
  [0, 2, 0],
  [1.004, 2, 1],
  [1.006, 2, 1.01],
  [3.999, 2, 4],
  [0.005, 2, 0.01],
  [59.95, 1, 60],
  [0.04999, 1, 0],
])('%d to %i places is %d', (value, places, rounded) => {
  expect(roundHalfUp(value, places)).toBe(rounded);
});

test('a half goes up also where its binary fraction lies below it', () => {
  for (const [value, rounded] of [
    [1.005, 1.01],
    [0.285, 0.29],
    [1.255, 1.26],
  ] as const) {
    expect(Math.round(value * 100) / 100).not.toBe(rounded);
    expect(roundHalfUp(value, 2)).toBe(rounded);
  }
});
