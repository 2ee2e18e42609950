import { expect, test } from 'vitest';
import { parseTime } from './time.ts';

const instant = Date.parse('2026-11-21T06:27:00.123Z');

test.each([
  ['2026-11-21T06:27:00.123Z', instant],
  ['2026-11-21T06:27:00.1239999Z', instant],
  ['2026-11-21t06:27:00.123z', instant],
  ['2026-11-21T08:27:00.123+02:00', instant],
  ['2026-11-21T08:27:00.123 02:00', instant],
  ['2026-11-21T01:27:00.123-0500', instant],
  ['2026-11-21T06:27:00,123', instant],
  ['2026-11-21T06:27:00Z', instant - 123],
  ['2026-11-21T06:27Z', instant - 123],
  ['2026-11-21', Date.parse('2026-11-21T00:00:00Z')],
  ['2024-02-29', Date.parse('2024-02-29T00:00:00Z')],
  ['2016-12-31T23:59:60Z', Date.parse('2017-01-01T00:00:00Z')],
  ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
])('%s is parsed to the millisecond', (text, expected) => {
  expect(parseTime(text)).toBe(expected);
});

test.each([
  '',
  'yesterday',
  '1700000000000',
  '2026-13-01',
  '2026-02-29',
  '2026-11-31T00:00:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T06:60:00Z',
  '2026-11-21T06:27:61Z',
  '2026-11-21T06:27:00+24:00',
  '2026-11-21T06:27:00Z ',
  '2026-11-21T06:27:00Z\n',
  '+2026-11-21T06:27:00Z',
  `2026-11-21T06:27:00.${'9'.repeat(31)}Z`,
])('%j is not a time', (text) => {
  expect(parseTime(text)).toBeUndefined();
});
