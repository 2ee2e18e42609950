import { expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

test('gives the published numbers of SplitMix64 for seed 1234567', () => {
  const random = seededRandom(1_234_567);
  expect([random.bits(), random.bits(), random.bits(), random.bits(), random.bits()]).toEqual([
    6457827717110365317n,
    3203168211198807973n,
    9817491932198370423n,
    4593380528125082431n,
    16408922859458223821n,
  ]);
});

test('reaches every value below the limit, about equally often, and none beyond', () => {
  const random = seededRandom(1);
  const draws = Array.from({ length: 6_000 }, () => random.integerBelow(6));
  const counts = Object.values(Object.groupBy(draws, String)).map((equal) => equal?.length ?? 0);
  expect(counts).toHaveLength(6);
  // Six standard deviations (29 each) around 1,000.
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(174);
});

test('a chance of 0 never comes about and one of 1 always', () => {
  const random = seededRandom(2);
  const draws = Array.from({ length: 1_000 }, () => [random.chance(0), random.chance(1)]);
  expect(draws.every(([never, always]) => !never && always)).toBe(true);
});
