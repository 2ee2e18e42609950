import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

const keyIdLength = 16;

/** 37 digits of base 62 carry 220 bits: beyond guessing, so a plain SHA-256 at rest is enough. */
const randomLength = 37;

/** Six digits of base 62 hold every CRC-32, as 62^6 > 2^32. */
const checksumLength = 6;

const keyPattern = /^(?<prefix>tmss?)_(?<keyId>[0-9A-Za-z]{16})_(?<secret>[0-9A-Za-z]{43})$/;

/** What a key begins with: `tms` that of a member, `tmss` the credential of a service. */
export type KeyPrefix = 'tms' | 'tmss';

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

/** Makes a key. `randomInt(bound)` must be unbiased and unpredictable: 0 to bound - 1. */
export function createKeyText(prefix: KeyPrefix, randomInt: (bound: number) => number): NewKeyText {
  const keyId = randomBase62(keyIdLength, randomInt);
  const body = `${prefix}_${keyId}_${randomBase62(randomLength, randomInt)}`;
  const text = body + checksum(body);
  return { text, keyId, secret: text.slice(-(randomLength + checksumLength)) };
}

/**
 * Takes a key apart. Undefined where it is not one of `prefix`, or where its
 * checksum is wrong, which spares the store every mistyped or made-up key. The
 * pattern looks at no more characters than a key has.
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
