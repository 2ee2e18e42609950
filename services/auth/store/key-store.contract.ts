import { accesses } from '@teammemory/vocabulary/access.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Key, KeyStore, KeysOf } from '../domain/keys.ts';

/** Declares the tests that every store of keys passes; `store` returns the empty store of the running test. */
export function keyStoreContract(store: () => KeyStore): void {
  const createdAt = 1_795_219_200_123;
  const secretHash = 'ab'.repeat(32);
  const beginning = { createdAt: 0, keyId: '' };
  const key = (keyId: string, fields: Partial<Key> = {}): Key => ({
    keyId,
    teamId: 'team-1',
    teamSlug: 'acme',
    memberId: 'member-1',
    memberHandle: 'ada',
    tier: 'external',
    access: 'own',
    itemWritesPerMinute: null,
    isForSignIn: false,
    createdAt,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  });
  const create = (made: Key) => store().create(made.teamId, { key: made, secretHash });
  const found = async (keyId: string) => (await store().findById(keyId))?.key;

  test('a key reads back as it was created, with its hash', async () => {
    const made = key('k1', {
      tier: 'team',
      access: 'read',
      itemWritesPerMinute: 1_000_000,
      expiresAt: createdAt + 1,
    });
    await create(made);
    expect(await store().findById('k1')).toEqual({ key: made, secretHash });
  });

  test('every access reads back as it was created, by itself and in a list', async () => {
    const made = accesses.map((access, index) => key(`k${index}`, { access }));
    for (const one of made) await create(one);
    for (const one of made) expect(await found(one.keyId)).toEqual(one);
    expect(await store().list('team-1', beginning, 10)).toEqual(made);
  });

  test('ids are told apart by case, and an unknown one is not found', async () => {
    await create(key('k1'));
    for (const keyId of ['K1', '', 'k', '$ne', 'k1\0']) expect(await found(keyId), keyId).toBeUndefined();
  });

  test('an id is given once; the key that has it stays as it is', async () => {
    await create(key('k1'));
    const again = store().create('team-2', { key: key('k1', { teamId: 'team-2' }), secretHash: 'cd' });
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect(await store().findById('k1')).toEqual({ key: key('k1'), secretHash });
  });

  test('keys are listed oldest first, then by id, without their hashes, one team at a time', async () => {
    await create(key('k3', { createdAt: createdAt - 1 }));
    for (const keyId of ['k2', 'K2', 'k1']) await create(key(keyId));
    await create(key('other', { teamId: 'team-2' }));
    const oldest = key('k3', { createdAt: createdAt - 1 });
    expect(await store().list('team-1', beginning, 10)).toEqual([oldest, key('K2'), key('k1'), key('k2')]);
    expect(await store().list('team-1', beginning, 2)).toEqual([oldest, key('K2')]);
    expect(await store().list('team-1', { createdAt, keyId: 'K2' }, 10)).toEqual([key('k1'), key('k2')]);
    expect(await store().list('team-1', { createdAt, keyId: 'k2' }, 10)).toEqual([]);
  });

  test('of one member only the keys of this member are listed, and the valid ones counted', async () => {
    await create(key('k1'));
    await create(key('k2', { memberId: 'member-2' }));
    await create(key('k3', { revokedAt: createdAt + 1 }));
    await create(key('k4', { expiresAt: createdAt + 5 }));
    await create(key('k5', { isForSignIn: true, expiresAt: createdAt + 9 }));
    await create(key('k6', { teamId: 'team-2' }));
    const listed = await store().list('team-1', { createdAt, keyId: 'k1' }, 10, {
      memberId: 'member-1',
    });
    expect(listed.map(({ keyId }) => keyId)).toEqual(['k3', 'k4', 'k5']);
    const valid = (at: number) => store().countValid('team-1', 'member-1', createdAt + at);
    expect([await valid(4), await valid(5)]).toEqual([2, 1]);
  });

  describe('of apps', () => {
    const app = { clientId: 'https://app.example/client.json', makerKeyId: 'k1' };
    const expiresAt = createdAt + 9;
    beforeEach(async () => {
      await create(key('k1'));
      await create(key('k2', { app, expiresAt }));
      await create(key('k3', { app, expiresAt, revokedAt: createdAt + 1 }));
      await create(key('k4', { app: { ...app, makerKeyId: 'k2' }, expiresAt }));
      await create(key('k5', { app, expiresAt, teamId: 'team-2' }));
      await create(key('k6', { app, expiresAt: createdAt + 2 }));
    });
    const ids = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
    const revocations = () => Promise.all(ids.map(async (id) => (await found(id))?.revokedAt));

    test('those that a key let act are revoked together, each for one of the callers, and no other', async () => {
      const calls = Array.from({ length: 8 }, () =>
        store().revokeApps('team-1', { makerKeyId: 'k1' }, createdAt + 5),
      );
      const revoked = (await Promise.all(calls)).flat();
      expect(revoked.map(({ keyId }) => keyId).sort()).toEqual(['k2', 'k6']);
      const at = createdAt + 5;
      expect(await revocations()).toEqual([null, at, createdAt + 1, null, null, at]);
      expect((await found('k2'))?.app).toEqual(app);
    });

    test('one is revoked for one of the callers, and a key of no app for none', async () => {
      const revoke = (keyId: string) => store().revokeApps('team-1', { keyId }, createdAt + 5);
      const revoked = (await Promise.all(Array.from({ length: 8 }, () => revoke('k2')))).flat();
      expect(revoked).toEqual([key('k2', { app, expiresAt, revokedAt: createdAt + 5 })]);
      for (const keyId of ['k1', 'k3', 'k5', 'none']) expect(await revoke(keyId)).toEqual([]);
      expect(await revocations()).toEqual([null, createdAt + 5, createdAt + 1, null, null, null]);
    });

    test('the valid ones are counted apart, of a key and of a member, and listed of a key', async () => {
      const count = (of: KeysOf, at: number) => store().countApps('team-1', of, createdAt + at);
      expect([await count({ makerKeyId: 'k1' }, 1), await count({ makerKeyId: 'k1' }, 2)]).toEqual([2, 1]);
      expect(await count({ memberId: 'member-1' }, 1)).toBe(3);
      expect(await store().countValid('team-1', 'member-1', createdAt + 1)).toBe(1);
      const listed = await store().list('team-1', { createdAt, keyId: 'k2' }, 10, { makerKeyId: 'k1' });
      expect(listed.map(({ keyId }) => keyId)).toEqual(['k3', 'k6']);
    });

    test('those that expired or are revoked are removed, and no other key', async () => {
      await create(key('expired', { expiresAt: createdAt + 1 }));
      await create(key('revoked', { revokedAt: createdAt + 1 }));
      await create(key('of-other', { app, memberId: 'member-2', expiresAt: createdAt + 1 }));
      await store().removeEndedApps('team-1', 'member-1', createdAt + 2);
      const left = await Promise.all([...ids, 'expired', 'revoked', 'of-other'].map(found));
      const names = left.flatMap((one) => one?.keyId ?? []);
      expect(names).toEqual(['k1', 'k2', 'k4', 'k5', 'expired', 'revoked', 'of-other']);
    });

    test('the end of one is set while it is not revoked, and of no other key', async () => {
      const set = (teamId: string, keyId: string) => store().setEndOfApp(teamId, keyId, createdAt + 90);
      expect(await set('team-1', 'k6')).toEqual(key('k6', { app, expiresAt: createdAt + 90 }));
      for (const keyId of ['k1', 'k3', 'k5', 'none']) expect(await set('team-1', keyId)).toBeUndefined();
      expect((await found('k1'))?.expiresAt).toBe(key('k1').expiresAt);
    });
  });

  test('a revocation is kept, and a later one does not move it', async () => {
    await create(key('k1'));
    expect(await store().revoke('team-1', 'k1', createdAt + 5)).toEqual(
      key('k1', { revokedAt: createdAt + 5 }),
    );
    expect(await store().revoke('team-1', 'k1', createdAt + 9)).toEqual(
      key('k1', { revokedAt: createdAt + 5 }),
    );
    expect(await found('k1')).toEqual(key('k1', { revokedAt: createdAt + 5 }));
  });

  test('a key of another team cannot be revoked or marked as used', async () => {
    await create(key('k1'));
    expect(await store().revoke('team-2', 'k1', createdAt)).toBeUndefined();
    await store().recordUse('team-2', 'k1', createdAt, 1_000);
    expect(await found('k1')).toEqual(key('k1'));
    expect(await store().revoke('team-1', 'k2', createdAt)).toBeUndefined();
  });

  test('a key expires when it is told to, never later than before, and not one of another team', async () => {
    await create(key('k1'));
    const expiresAt = async (at: number, team = 'team-1') =>
      (await store().expire(team, 'k1', createdAt + at))?.expiresAt;
    expect(await expiresAt(9, 'team-2')).toBeUndefined();
    expect(await expiresAt(9)).toBe(createdAt + 9);
    expect(await expiresAt(12)).toBe(createdAt + 9);
    expect(await expiresAt(5)).toBe(createdAt + 5);
    await store().revoke('team-1', 'k1', createdAt + 1);
    expect(await expiresAt(2)).toBeUndefined();
    expect(await found('k1')).toEqual(key('k1', { expiresAt: createdAt + 5, revokedAt: createdAt + 1 }));
  });

  test('the valid keys of one member are revoked, and no other key', async () => {
    await create(key('k1'));
    await create(key('k2', { revokedAt: createdAt + 1 }));
    await create(key('k3', { memberHandle: 'bob' }));
    await create(key('k4', { teamId: 'team-2' }));
    expect(await store().revokeOfMember('team-1', 'ada', createdAt + 5)).toBe(1);
    expect(await store().revokeOfMember('team-1', 'ada', createdAt + 6)).toBe(0);
    const revokedAt = async (keyId: string) => (await found(keyId))?.revokedAt;
    expect(await Promise.all(['k1', 'k2', 'k3', 'k4'].map(revokedAt))).toEqual([
      ...[createdAt + 5, createdAt + 1, null, null],
    ]);
  });

  test('the last use moves on only once per interval, and never backwards', async () => {
    await create(key('k1'));
    const lastUseAfter = async (at: number) => {
      await store().recordUse('team-1', 'k1', at, 1_000);
      return (await found('k1'))?.lastUsedAt;
    };
    expect(await lastUseAfter(50_000)).toBe(50_000);
    expect(await lastUseAfter(50_999)).toBe(50_000);
    expect(await lastUseAfter(40_000)).toBe(50_000);
    expect(await lastUseAfter(51_000)).toBe(51_000);
  });

  test('of many uses noted at once one is kept, and a revocation among them is not lost', async () => {
    await create(key('k1'));
    const uses = Array.from({ length: 8 }, (_, index) =>
      store().recordUse('team-1', 'k1', 50_000 + index, 1_000),
    );
    await Promise.all([...uses, store().revoke('team-1', 'k1', 50_004)]);
    const now = await found('k1');
    expect(now?.revokedAt).toBe(50_004);
    expect(now?.lastUsedAt).toBeGreaterThanOrEqual(50_000);
    expect(now?.lastUsedAt).toBeLessThan(50_008);
  });

  test('keys made for sessions are removed once they have expired, and the oldest of too many; others stay', async () => {
    const made = (keyId: string, fields: Partial<Key>) =>
      store().create(fields.teamId ?? 'team-1', {
        key: key(keyId, {
          teamId: 'team-1',
          memberId: 'm1',
          isForSignIn: true,
          expiresAt: createdAt + 9,
          ...fields,
        }),
        secretHash,
      });
    await made('expired', { expiresAt: createdAt + 5 });
    for (const [index, keyId] of ['s1', 's2', 's3'].entries())
      await made(keyId, { createdAt: createdAt + index });
    await made('own', { isForSignIn: false, expiresAt: createdAt + 1 });
    await made('of-other', { memberId: 'm2', expiresAt: createdAt + 1 });
    await made('of-team', { teamId: 'team-2', expiresAt: createdAt + 1 });
    await store().removeSignInKeys('team-1', 'm1', createdAt + 5, 2);
    const found = await Promise.all(
      ['expired', 's1', 's2', 's3', 'own', 'of-other', 'of-team'].map((id) => store().findById(id)),
    );
    const left = found.flatMap((stored) => (stored ? [[stored.key.keyId, stored.key.isForSignIn]] : []));
    expect(left).toEqual([
      ['s2', true],
      ['s3', true],
      ['own', false],
      ['of-other', true],
      ['of-team', true],
    ]);
  });
}
