import { expect, test } from 'vitest';

import { dayOf, daysBefore, endOfDay } from './usage-store.ts';

test('a day begins and ends at 00:00 UTC, to the millisecond', () => {
  const midnight = Date.parse('2026-11-22T00:00:00.000Z');
  expect([dayOf(midnight - 1), dayOf(midnight)]).toEqual(['2026-11-21', '2026-11-22']);
  expect(endOfDay(midnight - 1)).toBe(midnight);
  expect(endOfDay(midnight)).toBe(midnight + 86_400_000);
});

test('days are counted back over months and leap years', () => {
  expect(daysBefore('2026-11-21', 0)).toBe('2026-11-21');
  expect(daysBefore('2028-03-01', 1)).toBe('2028-02-29');
  expect(daysBefore('2026-01-10', 29)).toBe('2025-12-12');
});
