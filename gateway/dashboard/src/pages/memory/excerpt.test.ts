import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

test.each([
  ['| a | b |\n|---|:---:|\n| 1 | 2 |', 'a b 1 2'],
  ['| a | b |\n| --- | ---: |\n| 1 | 2 |', 'a b 1 2'],
  ['a | b\n:-- | --:\n1 | 2', 'a b 1 2'],
  ['# Head\n\n- **one** [two](three.md)\n> four', 'Head one two four'],
  ['a - b: c', 'a - b: c'],
])('%j reads %j', (text, excerpt) => {
  expect(excerptOf(text)).toBe(excerpt);
});

test('a passage that was made to be slow takes no time', () => {
  const started = performance.now();
  excerptOf(`|${' | '.repeat(3_000)}x`);
  excerptOf(`${'-'.repeat(9_000)}x`);
  excerptOf(`${' '.repeat(9_000)}x`);
  expect(performance.now() - started).toBeLessThan(1_000);
});
