import { expect, test } from 'vitest';
import { addDays, dayOf, weekOf } from './calendar.ts';

test('a week begins on Monday, also across a year', () => {
  expect(weekOf('2026-11-16')).toBe('2026-11-16');
  expect(weekOf('2026-11-22')).toBe('2026-11-16');
  expect(weekOf('2027-01-03')).toBe('2026-12-28');
});

test('days are counted in UTC', () => {
  expect(dayOf(Date.UTC(2026, 10, 21, 23, 59, 59, 999))).toBe('2026-11-21');
  expect(addDays('2026-02-27', 2)).toBe('2026-03-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
});
