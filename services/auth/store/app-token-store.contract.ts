import { expect, test } from 'vitest';
import type { AppToken, AppTokenStore } from '../domain/apps.ts';

/** Declares the tests that every store of apps' tokens passes; `store` returns the empty store of the running test. */
export function appTokenStoreContract(store: () => AppTokenStore): void {
  const createdAt = 1_795_219_200_123;
  const secretHash = 'ab'.repeat(32);
  const token = (tokenId: string, fields: Partial<AppToken> = {}): AppToken => ({
    tokenId,
    kind: 'refresh',
    teamId: 't1',
    keyId: 'k1',
    resource: 'https://memory.example.com/mcp',
    redirectUri: null,
    codeChallenge: null,
    createdAt,
    expiresAt: createdAt + 1_000,
    usedAt: null,
    appEndsAt: null,
    ...fields,
  });
  const create = (made: AppToken, maxOfKind = 20) =>
    store().create(made.teamId, { token: made, secretHash }, maxOfKind);
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((stored) => stored?.token.tokenId ?? []);
  };

  test('a token reads back as it was created, with its hash', async () => {
    const ofCode = { redirectUri: 'http://localhost/', codeChallenge: 'x', appEndsAt: createdAt + 9_000 };
    const code = token('c1', { kind: 'code', ...ofCode });
    await create(code);
    await create(token('r1', { teamId: 't2' }));
    expect(await store().findById('c1')).toEqual({ token: code, secretHash, previousHash: null });
    expect(await store().findById('r1')).toEqual({
      token: token('r1', { teamId: 't2' }),
      secretHash,
      previousHash: null,
    });
    expect(await present('C1', '', '$ne', 'c1\0')).toEqual([]);
  });

  test('an id is given once; the token that has it stays as it is', async () => {
    await create(token('r1'));
    const again = create(token('r1', { keyId: 'k2' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect((await store().findById('r1'))?.token.keyId).toBe('k1');
  });

  test('of many who use a token at the same time exactly one is the first, and none of another team', async () => {
    await create(token('c1', { kind: 'code' }));
    const keptUntil = createdAt + 5_000;
    const use = (teamId: string, tokenId: string, after: number) =>
      store().use(teamId, tokenId, { at: createdAt + after, keptUntil });
    expect(await use('t2', 'c1', 0)).toBeUndefined();
    const uses = await Promise.all(Array.from({ length: 16 }, () => use('t1', 'c1', 1)));
    expect(uses.filter((before) => before === null)).toHaveLength(1);
    expect(uses.filter((before) => before === createdAt + 1)).toHaveLength(15);
    expect(await use('t1', 'c1', 9)).toBe(createdAt + 1);
    const used = { usedAt: createdAt + 1, expiresAt: keptUntil };
    expect((await store().findById('c1'))?.token).toMatchObject(used);
    expect(await use('t1', 'none', 0)).toBeUndefined();
  });

  test('of many who replace a secret at the same time exactly one does, and none of another team', async () => {
    await create(token('r1'));
    const replace = (teamId: string, from: string, to: string) => {
      const next = { secretHash: to, previousHash: from, usedAt: createdAt + 1 };
      return store().replaceSecret(teamId, { tokenId: 'r1', secretHash: from }, next);
    };
    expect(await replace('t2', secretHash, 'other')).toBe(false);
    const names = Array.from({ length: 16 }, (_, index) => `next-${index}`);
    const replaced = await Promise.all(names.map((name) => replace('t1', secretHash, name)));
    expect(replaced.filter((isReplaced) => isReplaced)).toHaveLength(1);
    const winner = names[replaced.indexOf(true)] ?? '';
    const usedAt = createdAt + 1;
    const present = { token: token('r1', { usedAt }), secretHash: winner, previousHash: secretHash };
    expect(await store().findById('r1')).toEqual(present);
    const last = { secretHash: 'last', previousHash: null, usedAt };
    expect(await store().replaceSecret('t1', { tokenId: 'r1', secretHash: winner }, last)).toBe(true);
    expect(await store().findById('r1')).toMatchObject({ secretHash: 'last', previousHash: null });
  });

  test('a token beyond those of its kind that an app may have ends the oldest of that kind', async () => {
    await create(token('old', { createdAt: createdAt - 2 }));
    await create(token('of-kind', { createdAt: createdAt - 2, kind: 'access' }));
    await create(token('of-app', { createdAt: createdAt - 2, keyId: 'k2' }));
    await create(token('of-team', { createdAt: createdAt - 2, teamId: 't2' }));
    await create(token('newer', { createdAt: createdAt - 1 }), 2);
    expect(await present('old', 'newer')).toEqual(['old', 'newer']);
    await create(token('newest'), 2);
    const all = await present('old', 'newer', 'newest', 'of-kind', 'of-app', 'of-team');
    expect(all).toEqual(['newer', 'newest', 'of-kind', 'of-app', 'of-team']);
  });

  test('a new one clears away those of any team that have expired', async () => {
    await create(token('expired', { teamId: 't2', expiresAt: createdAt }));
    await create(token('valid', { teamId: 't2', expiresAt: createdAt + 1 }));
    await create(token('new'));
    expect(await present('expired', 'valid', 'new')).toEqual(['valid', 'new']);
  });
}
