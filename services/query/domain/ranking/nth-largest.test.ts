import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { nthLargest } from './scoring.ts';

test.for([1, 2, 3])('is what sorting gives, for any n (seed %i)', (seed) => {
  const random = seededRandom(seed);
  const values = Float64Array.from({ length: 200 }, () => random.integerBelow(50) + 1);
  const descending = values.toSorted().reverse();
  for (let n = 1; n <= values.length; n += 1) expect(nthLargest(values, n)).toBe(descending[n - 1]);
});

test('is 0 where there are fewer', () => {
  expect(nthLargest(Float64Array.of(5, 3), 3)).toBe(0);
});
