import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { dotProduct, quantise } from './vectors.ts';

const random = seededRandom(11);
const randomVector = (length: number) =>
  Float32Array.from({ length }, () => (random.integerBelow(2_000_001) - 1_000_000) / 1_000_000);

test('every number comes back to within half a step', () => {
  const vector = randomVector(300);
  const { numbers, scale } = quantise(vector);
  for (const [index, value] of vector.entries()) {
    expect(Math.abs((numbers[index] ?? 0) * scale - value)).toBeLessThanOrEqual(scale * 0.5001);
  }
  expect(Math.max(...numbers.map(Math.abs))).toBe(127);
});

test.for([1, 3, 4, 7, 384, 8_192])('products of %i numbers are exact', (length) => {
  const { numbers: left } = quantise(randomVector(length));
  const { numbers: right } = quantise(randomVector(length));
  const exact = left.reduce((sum, number, index) => sum + number * (right[index] ?? 0), 0);
  expect(dotProduct(left, right)).toBe(exact);
});
