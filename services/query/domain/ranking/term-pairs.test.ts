import { expect, test } from 'vitest';
import { forEachPair, pairShare, pairsOf } from './wanted-terms.ts';

const [how, long, are, backup, kept] = [0, 1, 2, 3, 4];

test('counts the neighbours of the question that are neighbours in the text, in this order', () => {
  const wanted = pairsOf([are, backup, kept]);
  expect(pairShare(wanted, [how, long, are, backup, kept])).toBe(1);
  expect(pairShare(wanted, [backup, are, kept])).toBe(0);
  expect(pairShare(wanted, [are, backup, long])).toBe(0.5);
});

test('a pair counts once, however often question and text have it', () => {
  const wanted = pairsOf([are, backup, are, backup, kept]);
  expect(wanted.size).toBe(3);
  expect(pairShare(wanted, [are, backup, long, are, backup])).toBeCloseTo(1 / 3);
  const visited: number[] = [];
  forEachPair(wanted, [backup, kept, are, backup], (place) => visited.push(place));
  expect(visited).toEqual([2, 0]);
});

test('is 0 for a question of one word, which has no neighbours', () => {
  expect(pairShare(pairsOf([backup]), [backup])).toBe(0);
});
