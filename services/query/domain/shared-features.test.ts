import { expect, test } from 'vitest';
import { sharedWeights } from './shared-features.ts';

const having =
  (...features: number[]) =>
  (visit: (feature: number) => void) =>
    features.forEach(visit);

test('a feature weighs its inverse document frequency among the candidates, once in each', () => {
  const candidates = [having(1, 1, 2), having(1, 9), having(9)];
  const often = Math.log(1 + 1.5 / 2.5);
  const rare = Math.log(1 + 2.5 / 1.5);
  expect(sharedWeights(new Set([1, 2, 3]), candidates)).toEqual([often + rare, often, 0]);
});

test('nothing wanted and no candidates weigh nothing', () => {
  expect(sharedWeights(new Set(), [having(1)])).toEqual([0]);
  expect(sharedWeights(new Set([1]), [])).toEqual([]);
});
