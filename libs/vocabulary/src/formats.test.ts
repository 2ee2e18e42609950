import { expect, test } from 'vitest';
import { checksumPattern, isCalendarDay, storedChecksumPattern } from './formats.ts';

const checksum = `sha256:${'Ab01'.repeat(16)}`;

test('a checksum is accepted in any case and stored in lower case', () => {
  expect(checksum).toMatch(checksumPattern);
  expect(checksum).not.toMatch(storedChecksumPattern);
  expect(checksum.toLowerCase()).toMatch(storedChecksumPattern);
});

test.each([
  '',
  'sha256:',
  checksum.slice(0, -1),
  `${checksum}0`,
  `${checksum}\n`,
  checksum.replace('sha256', 'md5'),
])('%j is not a checksum', (text) => {
  expect(text).not.toMatch(checksumPattern);
  expect(text).not.toMatch(storedChecksumPattern);
});

test.each([
  '2026-01-31',
  '2026-11-21',
  '2028-02-29',
  '2024-02-29',
  '2000-02-29',
  '1999-12-31',
  '0001-01-01',
  '9999-12-31',
])('%s is a day', (day) => {
  expect(isCalendarDay(day)).toBe(true);
});

test.each([
  '',
  '2026-02-29',
  '2026-02-30',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '26-01-01',
  '20261121',
  '2026-01-01T00:00',
  '2026-11-21T00:00:00Z',
  ' 2026-01-01',
  '2026-11-21\n',
  '+2026-11-21',
  '+002026-01',
  '２０２６-11-21',
  '$where',
])('%j is not a day', (text) => {
  expect(isCalendarDay(text)).toBe(false);
});
