import { expect, test } from 'vitest';
import {
  type Contributions,
  groupedMedian,
  type Release,
  shownContributions,
  spreadOverLevels,
} from './disclosure.ts';

/** Members by the first letters of the alphabet; a figure each, in the order of `figureNames`. */
const group = (...spines: number[]): Contributions =>
  new Map(spines.map((spine, index) => [String.fromCodePoint(97 + index), [spine, spine / 2, 0, 0, 0, 0]]));
const released = (...groups: Contributions[]): Release[] =>
  groups.map((contributions) => ({ figures: ['spine', 'verification'], contributions }));

test('the first group of a team is news', () => {
  const present = group(1, 2, 3);
  expect(shownContributions([], 'spine', present)).toEqual({ contributions: present, isNews: true });
});

test.for([
  ['one changed', group(1, 2, 5)],
  ['two changed', group(0, 2, 5)],
  ['one joined', group(1, 2, 3, 5)],
  ['two joined', group(1, 2, 3, 5, 0)],
  ['one changed and one joined', group(0, 2, 3, 5)],
] as const)('a group of which %s is shown as it was before', ([, present]) => {
  const before = group(1, 2, 3);
  expect(shownContributions(released(before), 'spine', present)).toEqual({
    contributions: before,
    isNews: false,
  });
});

test.for([
  ['three changed', group(5, 5, 5)],
  ['three joined', group(1, 2, 3, 0, 0, 0)],
  ['one changed and two joined', group(0, 2, 3, 1, 1)],
] as const)('a group of which %s is news', ([, present]) => {
  expect(shownContributions(released(group(1, 2, 3)), 'spine', present)).toEqual({
    contributions: present,
    isNews: true,
  });
});

test('a member who left counts as one who differs', () => {
  const before = group(1, 2, 3, 4);
  expect(shownContributions(released(before), 'spine', group(1, 2, 3)).contributions).toBe(before);
});

test('what was shown longer ago is compared with, too', () => {
  const first = group(1, 2, 3);
  const later = released(first, group(5, 5, 5));
  expect(shownContributions(later, 'spine', group(1, 2, 4)).contributions).toBe(first);
  expect(shownContributions(later, 'spine', group(1, 2, 3))).toMatchObject({ isNews: false });
});

test('the published group that differs least stands for the present one', () => {
  const near = group(1, 1, 1, 1);
  const far = group(4, 4, 4, 1);
  expect(shownContributions(released(near, far), 'spine', group(4, 4, 1, 1)).contributions).toBe(far);
  expect(shownContributions(released(far, near), 'spine', group(4, 4, 4, 4)).contributions).toBe(far);
});

test('each figure is judged by itself: one that only a few changed stays', () => {
  const before = group(1, 2, 3);
  const present: Contributions = new Map(
    [...group(4, 5, 0)].map(([id, [spine]]) => [
      id,
      [spine as number, id === 'a' ? 4 : (before.get(id)?.[1] as number), 0, 0, 0, 0],
    ]),
  );
  expect(shownContributions(released(before), 'spine', present).isNews).toBe(true);
  expect(shownContributions(released(before), 'verification', present).contributions).toBe(before);
  // A figure that was never published is news, whatever the others were.
  expect(shownContributions(released(before), 'learning', present).isNews).toBe(true);
});

test('every level that is shown has none or at least three members, and all of them are counted', () => {
  for (let members = 3; members <= 14; members += 1) {
    const spines = Array.from({ length: members }, (_, n) => (n * 7) % 6);
    const counts = spreadOverLevels(spines);
    expect(counts.filter((count) => count > 0 && count < 3)).toEqual([]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(members);
  }
});

test('neighbours are put at the level of their mean, a half rounded up', () => {
  expect(spreadOverLevels([3, 3, 3])).toEqual([0, 0, 0, 3, 0, 0]);
  expect(spreadOverLevels([0, 5, 3])).toEqual([0, 0, 0, 3, 0, 0]);
  expect(spreadOverLevels([0, 5, 1, 4, 0, 5, 2])).toEqual([3, 0, 0, 0, 4, 0]);
  expect(spreadOverLevels([1, 1, 2, 2])).toEqual([0, 0, 4, 0, 0, 0]);
});

test('a median is the middle of the groups of neighbours, in halves', () => {
  expect(groupedMedian([2.9, 2.9, 2.9])).toBe(3);
  expect(groupedMedian([0, 4, 1.9])).toBe(2);
  expect(groupedMedian([0, 0, 0, 4, 4, 4])).toBe(2);
  expect(groupedMedian([0, 0, 0, 1, 1.2, 1.4, 4, 4, 4])).toBe(1);
});

test('who knows all figures but one cannot tell that one within a point and a half', () => {
  for (const known of [
    [0, 0],
    [0, 4],
    [4, 4],
    [1.3, 2.2],
  ]) {
    const byMedian = Map.groupBy(
      Array.from({ length: 401 }, (_, n) => n / 100),
      (value) => groupedMedian([...known, value]),
    );
    const bands = [...byMedian.values()].map((values) => Math.max(...values) - Math.min(...values));
    // A band that the ends of the axis cut is narrower, and the rest is as wide as three steps.
    expect(Math.max(...bands)).toBeGreaterThan(1.4);
    expect(byMedian.size).toBeLessThanOrEqual(4);
  }
});
