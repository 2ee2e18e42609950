import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { dotProduct, quantise } from './vector-index.ts';

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

test.for([1, 3, 4, 7, 384, 8_192])('products of %i numbers are exact, wherever the row begins', (length) => {
  const rows = quantise(randomVector(length * 3)).numbers;
  const { numbers } = quantise(randomVector(length));
  for (const offset of [0, length, length * 2]) {
    const exact = numbers.reduce((sum, number, index) => sum + number * (rows[offset + index] ?? 0), 0);
    expect(dotProduct(rows, offset, numbers)).toBe(exact);
  }
});
