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
    ...fields,
  });
  const create = (made: AppToken, maxOfKind = 20) =>
    store().create(made.teamId, { token: made, secretHash }, maxOfKind);
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((stored) => stored?.token.tokenId ?? []);
  };

  test('a token reads back as it was created, with its hash', async () => {
    const code = token('c1', { kind: 'code', redirectUri: 'http://localhost/', codeChallenge: 'x' });
    await create(code);
    await create(token('r1', { teamId: 't2' }));
    expect(await store().findById('c1')).toEqual({ token: code, secretHash });
    expect(await store().findById('r1')).toEqual({ token: token('r1', { teamId: 't2' }), secretHash });
    expect(await present('C1', '', '$ne', 'c1\0')).toEqual([]);
  });

  test('an id is given once; the token that has it stays as it is', async () => {
    await create(token('r1'));
    const again = create(token('r1', { keyId: 'k2' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect((await store().findById('r1'))?.token.keyId).toBe('k1');
  });

  test('of many who use a token at the same time exactly one is the first, and none of another team', async () => {
    await create(token('r1'));
    expect(await store().use('t2', 'r1', createdAt)).toBeUndefined();
    const uses = await Promise.all(Array.from({ length: 16 }, () => store().use('t1', 'r1', createdAt + 1)));
    expect(uses.filter((before) => before === null)).toHaveLength(1);
    expect(uses.filter((before) => before === createdAt + 1)).toHaveLength(15);
    expect(await store().use('t1', 'r1', createdAt + 9)).toBe(createdAt + 1);
    expect((await store().findById('r1'))?.token.usedAt).toBe(createdAt + 1);
    expect(await store().use('t1', 'none', createdAt)).toBeUndefined();
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
