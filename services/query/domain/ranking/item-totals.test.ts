import { expect, test } from 'vitest';
import { itemTotals } from './item-totals.ts';

/** The score is occurrences per relative length, which shows both. */
const occurrencesPerLength = (frequency: number, relativeLength: number) => frequency / relativeLength;

test('an item has what its passages have together, until the next search', () => {
  const items = itemTotals();
  const one = items.add('one.md', 30);
  expect(items.add('one.md', 30)).toBe(one);
  const other = items.add('other.md', 20);
  for (const item of [one, one, other]) items.count(item, 2);
  items.addScores(occurrencesPerLength);
  items.count(one, 3);
  items.addScores(occurrencesPerLength);
  // The average is 40 terms: one.md has 1.5 times as many, other.md half.
  expect(items.scoreOf(one)).toBeCloseTo((4 + 3) / 1.5, 12);
  expect(items.scoreOf(other)).toBeCloseTo(2 / 0.5, 12);
  items.clearScores();
  expect(items.scoreOf(one)).toBe(0);
});

test('an item whose passages are gone leaves nothing to the one that takes its number', () => {
  const items = itemTotals();
  const gone = items.add('gone.md', 100);
  items.add('stays.md', 10);
  items.remove('gone.md', 100);
  items.remove('gone.md', 100);
  const next = items.add('next.md', 10);
  expect(next).toBe(gone);
  items.count(next, 1);
  items.addScores(occurrencesPerLength);
  expect(items.scoreOf(next)).toBe(1);
});

test('any number of items have room', () => {
  const items = itemTotals();
  const numbers = Array.from({ length: 3_000 }, (_, index) => items.add(`${index}.md`, 7));
  for (const number of numbers) items.count(number, 1);
  items.addScores(occurrencesPerLength);
  expect(numbers.every((number) => items.scoreOf(number) === 1)).toBe(true);
});
