import { expect, test } from 'vitest';
import { randomBase62, toBase62 } from './base62.ts';

test('numbers are written most significant digit first, in the order 0-9A-Za-z, padded to the width', () => {
  expect(toBase62(0, 6)).toBe('000000');
  expect(toBase62(9 * 62 ** 2 + 10 * 62 + 35, 6)).toBe('0009AZ');
  expect(toBase62(36 * 62 + 61, 2)).toBe('az');
  expect(toBase62(2 ** 32 - 1, 6)).toBe('4gfFC3');
});

test('every digit of random text is drawn from all 62', () => {
  const bounds: number[] = [];
  let next = 0;
  const text = randomBase62(62, (bound) => {
    bounds.push(bound);
    return next++;
  });
  expect(text).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
  expect(new Set(bounds)).toEqual(new Set([62]));
});
