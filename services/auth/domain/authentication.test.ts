import { randomInt } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { authenticate, createLastUse } from './authentication.ts';
import { createKeyText, hashSecret } from './key-text.ts';
import type { Key, StoredKey } from './keys.ts';

const now = Date.UTC(2026, 10, 21);
const { text, keyId, secret } = createKeyText('tms', randomInt);
const key: Key = {
  keyId,
  teamId: 'team',
  teamSlug: 'acme',
  memberId: 'member',
  memberHandle: 'ada',
  tier: 'external',
  access: 'own',
  itemWritesPerMinute: null,
  isForSignIn: false,
  createdAt: now - 1,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

/** Authenticates `sent` where `stored` is the only key, and says which look-ups that took. */
function authenticating(sent: string, stored: StoredKey, recordUse = async () => {}) {
  const lookUps: string[] = [];
  const store = {
    async findById(id: string) {
      lookUps.push(id);
      return id === stored.key.keyId ? stored : undefined;
    },
    recordUse,
  };
  const lastUse = createLastUse({ store, onFailure: () => {} });
  return { lookUps, result: authenticate({ store, lastUse, clock: () => now }, sent) };
}

test('the right key is answered with whom it stands for', async () => {
  const { result } = authenticating(text, { key, secretHash: hashSecret(secret) });
  expect(await result).toEqual(key);
});

test('malformed, unknown, wrong, expired and revoked keys are refused with one and the same error', async () => {
  const stored = { key, secretHash: hashSecret(secret) };
  const refusals = [
    authenticating('', stored),
    authenticating('Bearer', stored),
    authenticating(createKeyText('tms', randomInt).text, stored),
    authenticating(text, { key, secretHash: hashSecret(createKeyText('tms', randomInt).secret) }),
    authenticating(text, { ...stored, key: { ...key, expiresAt: now } }),
    authenticating(text, { ...stored, key: { ...key, revokedAt: now - 1 } }),
  ];
  for (const { result } of refusals) {
    const error = await result.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: 'invalid_key',
      message: 'The API key is missing or not valid.',
      violations: [],
    });
    expect(error).not.toHaveProperty('cause');
  }
});

test('a made-up key is refused without a look-up', async () => {
  const madeUp = `tms_${keyId}_${'a'.repeat(43)}`;
  const { result, lookUps } = authenticating(madeUp, { key, secretHash: hashSecret(secret) });
  await expect(result).rejects.toMatchObject({ code: 'invalid_key' });
  expect(lookUps).toEqual([]);
});

test('a store that is down is not taken for a wrong key', async () => {
  const down = new AppError('unavailable', 'down');
  const store = { findById: () => Promise.reject(down), recordUse: async () => {} };
  const lastUse = createLastUse({ store, onFailure: () => {} });
  await expect(authenticate({ store, lastUse, clock: () => now }, text)).rejects.toBe(down);
});

test('a last use that cannot be written neither fails nor delays the answer', async () => {
  const stored = { key, secretHash: hashSecret(secret) };
  expect(await authenticating(text, stored, () => Promise.reject(new Error('down'))).result).toEqual(key);
  expect(await authenticating(text, stored, () => new Promise(() => {})).result).toEqual(key);
});
