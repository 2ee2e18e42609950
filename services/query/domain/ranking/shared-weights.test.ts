import { expect, test } from 'vitest';
import { sharedWeights } from './rerank.ts';

const having =
  (...features: number[]) =>
  (visit: (feature: number) => void) =>
    features.forEach(visit);

test('a feature weighs its inverse document frequency among the candidates, once in each', () => {
  const candidates = [having(0, 0, 1), having(0), having()];
  const often = Math.log(1 + 1.5 / 2.5);
  const rare = Math.log(1 + 2.5 / 1.5);
  expect(sharedWeights(3, candidates)).toEqual([often + rare, often, 0]);
});

test('no features and no candidates weigh nothing', () => {
  expect(sharedWeights(0, [having()])).toEqual([0]);
  expect(sharedWeights(1, [])).toEqual([]);
});
