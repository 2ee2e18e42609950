import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The digits of base 62 in order of value. Keys are written in them. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Writes `value`, a whole number from 0 to 2^53 - 1, in base 62: most
 * significant digit first, padded with `0` to at least `width` characters.
 */
export function toBase62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / digits.length)) {
    text = digits.charAt(rest % digits.length) + text;
  }
  return text.padStart(width, digits.charAt(0));
}

/**
 * Makes `length` random base 62 digits. `randomInt(bound)` gives a whole number
 * from 0 to bound - 1, each equally likely: bytes modulo 62 would favour the
 * first digits.
 */
export function randomBase62(length: number, randomInt: (bound: number) => number): string {
  return Array.from({ length }, () => digits.charAt(randomInt(digits.length))).join('');
}

const keyIdLength = 16;

/** 37 digits of base 62 carry 220 bits: beyond guessing, so a plain SHA-256 at rest is enough. */
const randomLength = 37;

/** Six digits of base 62 hold every CRC-32, as 62^6 > 2^32. */
const checksumLength = 6;

const keyPattern = /^(?<prefix>tms[slnoiacr]?)_(?<keyId>[0-9A-Za-z]{16})_(?<secret>[0-9A-Za-z]{43})$/;

/**
 * What a key begins with: `tms` that of a member, `tmss` the credential of a service, `tmsl` the token of a sign-in link,
 * `tmsn` a session, `tmso` the token of an operator, `tmsi` that of an invitation, `tmsa` the access token of an app, `tmsc`
 * its code, `tmsr` its refresh token.
 */
export type KeyPrefix = 'tms' | 'tmss' | 'tmsl' | 'tmsn' | 'tmso' | 'tmsi' | 'tmsa' | 'tmsc' | 'tmsr';

/** The two halves of a key: the public id and what only its owner knows. */
export interface KeyParts {
  /** 16 characters of [0-9A-Za-z]. */
  keyId: string;
  /** 43 characters of [0-9A-Za-z], the last 6 a checksum. */
  secret: string;
}

/** A key as it is shown once to its owner. */
export interface NewKeyText extends KeyParts {
  /** The whole key, `<prefix>_<keyId>_<secret>`. */
  text: string;
}

/** Makes a key, or another secret for the id of one. `randomInt(bound)` must be unbiased and unpredictable: 0 to bound - 1. */
export function createKeyText(
  prefix: KeyPrefix,
  randomInt: (bound: number) => number,
  keyId = randomBase62(keyIdLength, randomInt),
): NewKeyText {
  const body = `${prefix}_${keyId}_${randomBase62(randomLength, randomInt)}`;
  const text = body + checksum(body);
  return { text, keyId, secret: text.slice(-(randomLength + checksumLength)) };
}

/**
 * Parses a key. Undefined if it does not have the prefix or its checksum is
 * wrong, so that a mistyped or made-up key costs no look-up.
 */
export function parseKeyText(prefix: KeyPrefix, text: string): KeyParts | undefined {
  const { prefix: found, keyId, secret } = keyPattern.exec(text)?.groups ?? {};
  if (found !== prefix || keyId === undefined || secret === undefined) return undefined;
  const body = text.slice(0, -checksumLength);
  return text === body + checksum(body) ? { keyId, secret } : undefined;
}

/** CRC-32 of the ASCII bytes of `body`, in base 62. No secret: it guards against typing errors only. */
function checksum(body: string): string {
  return toBase62(crc32(body), checksumLength);
}

/** Stands in where there is no key to compare with; no secret hashes to it. */
const noHash = '0'.repeat(64);

/** SHA-256 of the secret's bytes, 64 lower-case hex digits: what is kept instead of it. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * Whether `secret` hashes to `expected`. It takes the same time wherever they
 * differ, and also when there is nothing to compare with (`undefined`), so that
 * the time of an answer does not tell which key ids exist.
 */
export function secretMatches(secret: string, expected: string | undefined): boolean {
  const actual = Buffer.from(hashSecret(secret), 'hex');
  return timingSafeEqual(actual, Buffer.from(expected ?? noHash, 'hex'));
}

/** Finds what `text` proves; undefined for a malformed, unknown or wrong one, which all take the same time. */
export async function findProven<Stored extends { secretHash: string }>(
  prefix: KeyPrefix,
  text: string,
  findById: (id: string) => Promise<Stored | undefined>,
): Promise<Stored | undefined> {
  const parts = parseKeyText(prefix, text);
  if (!parts) return undefined;
  const stored = await findById(parts.keyId);
  return secretMatches(parts.secret, stored?.secretHash) ? stored : undefined;
}
