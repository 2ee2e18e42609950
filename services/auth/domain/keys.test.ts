import { expect, test } from 'vitest';
import { checkedExpiry, isActive, type Key } from './keys.ts';

const now = Date.UTC(2026, 10, 21);
const key: Key = {
  keyId: '0123456789ABCDEF',
  teamId: 'team',
  teamSlug: 'acme',
  memberId: 'member',
  memberHandle: 'ada',
  tier: 'team',
  access: 'own',
  itemWritesPerMinute: null,
  isForSignIn: false,
  createdAt: now - 1,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

test('a key is active until the millisecond in which it expires', () => {
  expect(isActive(key, now)).toBe(true);
  expect(isActive({ ...key, expiresAt: now + 1 }, now)).toBe(true);
  expect(isActive({ ...key, expiresAt: now }, now)).toBe(false);
});

test('a revoked key is not active, whatever its expiry and whichever clock revoked it', () => {
  expect(isActive({ ...key, revokedAt: now, expiresAt: now + 1 }, now)).toBe(false);
  expect(isActive({ ...key, revokedAt: now + 5 }, now)).toBe(false);
});

test('an expiry lies in the future, or there is none', () => {
  expect(checkedExpiry(null, now)).toBeNull();
  expect(checkedExpiry(now + 1, now)).toBe(now + 1);
  const bad = [now, now - 1, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, now + 0.5, 253_402_300_800_000];
  for (const expiresAt of bad) {
    expect(() => checkedExpiry(expiresAt, now), String(expiresAt)).toThrowError(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  }
});
