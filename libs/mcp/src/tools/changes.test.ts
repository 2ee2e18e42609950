import { expect, test } from 'vitest';
import { instantOf } from './changes.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');

test.each([
  [undefined, '2026-11-14T12:00:00.000Z'],
  ['24h', '2026-11-20T12:00:00.000Z'],
  ['2w', '2026-11-07T12:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
])('since %s is %s', (since, instant) => {
  expect(instantOf(since, now)).toBe(instant);
});

test('an age begins at a whole minute, so that agents who ask within it share a page', () => {
  expect(instantOf('24h', now + 59_999)).toBe(instantOf('24h', now));
});

test.each(['', 'yesterday', '7', '-7d', '7y', '2026-13-40', '99999d', '1'])(
  'since %j is refused with what it may be',
  (since) => {
    expect(() => instantOf(since, now)).toThrow(/a day .* a time .* or an age/);
  },
);
