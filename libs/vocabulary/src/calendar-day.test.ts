import { expect, test } from 'vitest';
import { isCalendarDay } from './calendar-day.ts';

test.each(['2026-01-31', '2028-02-29', '0001-01-01', '9999-12-31'])('%s is a day', (day) => {
  expect(isCalendarDay(day)).toBe(true);
});

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '26-01-01',
  '2026-01-01T00:00',
  '',
  ' 2026-01-01',
])('%j is none', (day) => {
  expect(isCalendarDay(day)).toBe(false);
});
