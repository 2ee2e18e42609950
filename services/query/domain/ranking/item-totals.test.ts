import { expect, test } from 'vitest';
import { createColumns } from '../storage/columns.ts';
import { createMemoryBudget } from '../storage/memory-budget.ts';
import { createItemTotals } from './item-totals.ts';

/** The score is occurrences per relative length, which shows both. */
const occurrencesPerLength = (frequency: number, relativeLength: number) => frequency / relativeLength;

function totalsOf(items: number) {
  const totals = createItemTotals(createColumns(createMemoryBudget(2 ** 20)));
  totals.reserve(items);
  return totals;
}

test('an item has what its passages have together, until the next search', () => {
  const items = totalsOf(2);
  const [one, other] = [0, 1];
  items.add(one, 30);
  items.add(one, 30);
  items.add(other, 20);
  for (const item of [one, one, other]) items.count(item, 2);
  items.addScores(occurrencesPerLength);
  items.count(one, 3);
  items.addScores(occurrencesPerLength);
  // The average is 40 terms: one has 1.5 times as many, the other half.
  expect(items.scoreOf(one)).toBeCloseTo((4 + 3) / 1.5, 12);
  expect(items.scoreOf(other)).toBeCloseTo(2 / 0.5, 12);
  items.clearScores();
  expect(items.scoreOf(one)).toBe(0);
});

test('an item whose passages are gone leaves nothing to the one that takes its number', () => {
  const items = totalsOf(2);
  items.add(0, 100);
  items.add(1, 10);
  items.remove(0, 100);
  items.add(0, 10);
  items.count(0, 1);
  items.addScores(occurrencesPerLength);
  expect(items.scoreOf(0)).toBe(1);
});

test('an item without passages counts for no average', () => {
  const items = totalsOf(3);
  items.add(1, 10);
  items.add(2, 10);
  items.remove(2, 10);
  items.count(1, 1);
  items.addScores(occurrencesPerLength);
  expect(items.scoreOf(1)).toBe(1);
});
