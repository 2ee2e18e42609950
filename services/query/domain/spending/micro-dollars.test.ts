import { expect, test } from 'vitest';
import { microDollarsFrom } from './prices.ts';

test.each([
  ['0', 0],
  ['5', 5_000_000],
  ['0.1', 100_000],
  ['0.29', 290_000],
  ['1.000001', 1_000_001],
  ['0.000001', 1],
  ['9999999.999999', 9_999_999_999_999],
  ['007', 7_000_000],
])('%s dollars are exactly %i micro-dollars', (decimal, amount) => {
  expect(microDollarsFrom(decimal)).toBe(amount);
});

test.each(['', '-1', '+1', '.5', '5.', '1e3', '0.0000001', '10000000', '1,5', ' 1', 'NaN', '١'])(
  '%o is no amount',
  (text) => {
    expect(microDollarsFrom(text)).toBeUndefined();
  },
);
