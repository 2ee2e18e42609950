import { hash, timingSafeEqual } from 'node:crypto';

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
