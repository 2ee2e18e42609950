import { expect, test } from 'vitest';
import type { RankedPassage } from './scored-passage.ts';
import { fuse } from './vectors.ts';

function hit(slot: number, score: number): RankedPassage {
  const rowKey = `${slot}.md`;
  return {
    rowKey,
    ordinal: 0,
    score,
    slot,
    terms: new Uint32Array(),
    text: '',
    headLength: 0,
    relativeLength: 1,
  };
}

/** What lies near: by slot, how near. */
function near(nearness: Record<number, number>, coverage = 1) {
  const slots = Object.keys(nearness).map(Number);
  return { slots, nearness: (slot: number) => nearness[slot], prominence: () => undefined, coverage };
}

const at = (slot: number) => hit(slot, 0);
const slotsOf = (hits: readonly RankedPassage[]) => hits.map(({ slot }) => slot);
const words = [hit(1, 10), hit(2, 9), hit(3, 2)];

test('what words and vectors agree on comes first, then what either finds', () => {
  const fused = fuse(words, near({ 1: 0.2, 2: 1, 3: 0, 4: 0.9 }), at);
  expect(slotsOf(fused)).toEqual([2, 1, 4, 3]);
  expect(fused.map(({ score }) => score)).toEqual([9.5, 6, 4.5, 1]);
});

test('the best by both keeps the score that words gave it, so that scores stay comparable', () => {
  expect(fuse(words, near({ 1: 1, 2: 0, 3: 0 }), at)[0]?.score).toBe(10);
});

test('a passage without a vector is neither punished nor favoured', () => {
  const fused = fuse(words, near({ 1: 1, 3: 0 }, 2 / 3), at);
  expect(fused.find(({ slot }) => slot === 2)?.score).toBe(9);
  expect(slotsOf(fused)).toEqual([1, 2, 3]);
});

test('with few vectors words decide', () => {
  const fused = fuse(words, near({ 3: 1, 9: 1 }, 0.01), at);
  expect(slotsOf(fused)).toEqual([1, 2, 3, 9]);
});

test('where no word is known vectors alone rank, and a slot that is gone is passed over', () => {
  const gone = (slot: number) => (slot === 6 ? undefined : at(slot));
  const fused = fuse([], near({ 5: 0.3, 6: 0.8, 7: 1 }), gone);
  expect(slotsOf(fused)).toEqual([7, 5]);
  expect(fused[0]?.score).toBeGreaterThan(0);
});
