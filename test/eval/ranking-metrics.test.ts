import { expect, test } from 'vitest';
import { rankingMetrics } from './ranking-metrics.ts';

test('a ranking is measured as by hand', () => {
  const ranking = ['x', 'b', 'y', 'a'];
  const relevant = new Map([
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
  const metrics = rankingMetrics(ranking, relevant);
  // DCG = 1 / log2(3) + 2 / log2(5) = 0.6309 + 0.8614; ideal = 2 + 1 / log2(3) + 1 / log2(4) = 3.1309.
  expect(metrics.ndcgAt10).toBeCloseTo(1.4923 / 3.1309, 4);
  expect(metrics.recallAt10).toBeCloseTo(2 / 3, 12);
  expect(metrics.recallAt100).toBeCloseTo(2 / 3, 12);
  expect(metrics.mrrAt10).toBe(0.5);
});

test('the best ranking measures 1, an empty one 0', () => {
  const relevant = new Map([['a', 1]]);
  expect(rankingMetrics(['a'], relevant)).toEqual({ ndcgAt10: 1, recallAt10: 1, recallAt100: 1, mrrAt10: 1 });
  expect(rankingMetrics([], relevant)).toEqual({ ndcgAt10: 0, recallAt10: 0, recallAt100: 0, mrrAt10: 0 });
});

test('what comes eleventh counts only where a hundred are looked at', () => {
  const ranking = [...Array.from({ length: 10 }, (_, index) => `other${index}`), 'a'];
  const metrics = rankingMetrics(ranking, new Map([['a', 1]]));
  expect(metrics).toEqual({ ndcgAt10: 0, recallAt10: 0, recallAt100: 1, mrrAt10: 0 });
});
