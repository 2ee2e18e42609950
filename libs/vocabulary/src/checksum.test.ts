import { expect, test } from 'vitest';
import { checksumPattern, storedChecksumPattern } from './checksum.ts';

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
