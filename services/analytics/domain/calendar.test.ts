import { expect, test } from 'vitest';
import { addDays, dayOf, isDay, weekOf } from './calendar.ts';

test('days that the calendar has are days', () => {
  for (const day of ['2026-11-21', '2024-02-29', '2000-02-29', '1999-12-31', '0001-01-01', '9999-12-31']) {
    expect(isDay(day), day).toBe(true);
  }
});

test('anything else is none', () => {
  const bad = [
    '',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
  ];
  const worse = [
    '20261121',
    '2026-11-21T00:00:00Z',
    ' 2026-11-21',
    '2026-11-21\n',
    '+2026-11-21',
    '２０２６-11-21',
  ];
  for (const text of [...bad, ...worse]) expect(isDay(text), text).toBe(false);
});

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
