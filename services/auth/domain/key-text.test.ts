import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyText, parseKeyText } from './key-text.ts';

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
