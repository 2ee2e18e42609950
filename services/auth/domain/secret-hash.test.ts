import { expect, test } from 'vitest';
import { hashSecret, secretMatches } from './secret-hash.ts';

test('a secret is hashed with SHA-256', () => {
  // Test vector of FIPS 180-2, appendix B.1.
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('only the secret that was hashed matches, and nothing matches where there is no hash', () => {
  const expected = hashSecret('secret');
  expect(secretMatches('secret', expected)).toBe(true);
  expect(secretMatches('secres', expected)).toBe(false);
  expect(secretMatches('', expected)).toBe(false);
  expect(secretMatches('secret', undefined)).toBe(false);
});
