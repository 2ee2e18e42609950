import { expect, test } from 'vitest';
import { fromNow } from './time.tsx';

const now = new Date('2026-11-20T12:00:00Z');
const inWords = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

test.each([
  ['2026-11-20T11:59:30Z', 0, 'minute'],
  ['2026-11-20T11:55:00Z', -5, 'minute'],
  ['2026-11-20T07:00:00Z', -5, 'hour'],
  ['2026-11-25T12:00:00Z', 5, 'day'],
  ['2026-11-08T12:00:00Z', -12, 'day'],
  ['2026-10-30T12:00:00Z', -3, 'week'],
  ['2026-05-20T12:00:00Z', -6, 'month'],
  ['2024-11-20T12:00:00Z', -2, 'year'],
] as const)('a moment is told in the unit of its distance: %s', (at, count, unit) => {
  expect(fromNow(new Date(at), now)).toBe(inWords.format(count, unit));
});
