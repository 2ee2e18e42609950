import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createKeyText,
  hashSecret,
  parseKeyText,
  randomBase62,
  secretMatches,
  toBase62,
} from './key-text.ts';

test('numbers are written most significant digit first, in the order 0-9A-Za-z, padded to the width', () => {
  expect(toBase62(0, 6)).toBe('000000');
  expect(toBase62(9 * 62 ** 2 + 10 * 62 + 35, 6)).toBe('0009AZ');
  expect(toBase62(36 * 62 + 61, 2)).toBe('az');
  expect(toBase62(2 ** 32 - 1, 6)).toBe('4gfFC3');
});

test('every digit of random text is drawn from all 62', () => {
  const bounds: number[] = [];
  let next = 0;
  const text = randomBase62(62, (bound) => {
    bounds.push(bound);
    return next++;
  });
  expect(text).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
  expect(new Set(bounds)).toEqual(new Set([62]));
});

const keyId = '0123456789ABCDEF';
const random = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa';
/** CRC-32 3484001495 of `tms_<keyId>_<random>`, computed with another implementation (Python's zlib). */
const checksum = '3nmVwV';

test('a key has the published form and reads back as what was made', () => {
  const made = createKeyText('tms', randomInt);
  expect(made.text).toMatch(/^tms_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
  expect(made.text).toBe(`tms_${made.keyId}_${made.secret}`);
  expect(parseKeyText('tms', made.text)).toEqual({ keyId: made.keyId, secret: made.secret });
});

test('id and secret come digit by digit from the random source', () => {
  let next = 0;
  const made = createKeyText('tms', (bound) => (next++ % 16) % bound);
  expect(made.keyId).toBe(keyId);
  expect(made.secret).toMatch(/^0123456789ABCDEF0123456789ABCDEF01234/);
  expect(next).toBe(16 + 37);
});

test('the checksum is the CRC-32 of all before it, in base 62', () => {
  expect(parseKeyText('tms', `tms_${keyId}_${random}${checksum}`)).toEqual({
    keyId,
    secret: random + checksum,
  });
  expect(parseKeyText('tms', `tms_${'A'.repeat(16)}_${'b'.repeat(37)}29T2Px`)).toBeDefined();
});

test('a key with any one character mistyped is refused', () => {
  const text = `tms_${keyId}_${random}${checksum}`;
  for (let index = 0; index < text.length; index++) {
    const other = text.charAt(index) === 'x' ? 'y' : 'x';
    expect(
      parseKeyText('tms', text.slice(0, index) + other + text.slice(index + 1)),
      String(index),
    ).toBeUndefined();
  }
});

test('text that is not of the form of a key is refused', () => {
  const good = `tms_${keyId}_${random}${checksum}`;
  const bad = [
    '',
    'tms_',
    ` ${good}`,
    `${good}\n`,
    `${good} `,
    `${good}0`,
    good.slice(1),
    good.toUpperCase(),
  ];
  bad.push(good.replace('_', '-'), good.replace('0', '０'), 'x'.repeat(1_000_000), `${good}\0`);
  for (const text of bad) expect(parseKeyText('tms', text), text.slice(0, 80)).toBeUndefined();
});

test('what begins otherwise is not read as a key, nor a key as anything else', () => {
  const prefixes = ['tms', 'tmss', 'tmsl', 'tmsn'] as const;
  for (const made of prefixes) {
    const { text } = createKeyText(made, randomInt);
    const readAs = prefixes.filter((prefix) => parseKeyText(prefix, text) !== undefined);
    expect(readAs).toEqual([made]);
  }
});

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
