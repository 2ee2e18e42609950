import { expect, test } from 'vitest';
import type { SignInLink, SignInLinkStore } from '../domain/sessions.ts';

/** Declares the tests that every store of sign-in links passes; `store` returns the empty store of the running test. */
export function signInLinkStoreContract(store: () => SignInLinkStore): void {
  const createdAt = 1_795_219_200_123;
  const secretHash = 'ab'.repeat(32);
  const link = (linkId: string, fields: Partial<SignInLink> = {}): SignInLink => ({
    linkId,
    teamId: 't1',
    keyId: 'k1',
    createdAt,
    expiresAt: createdAt + 1_000,
    ...fields,
  });
  const create = (made: SignInLink, maxOfKey = 20) =>
    store().create(made.teamId, { link: made, secretHash }, maxOfKey);
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((stored) => stored?.link.linkId ?? []);
  };

  test('a link reads back as it was created, with its hash', async () => {
    const made = link('l1', { teamId: 't2', keyId: 'k2' });
    await create(made);
    await create(link('l2'));
    expect(await store().findById('l1')).toEqual({ link: made, secretHash });
  });

  test('ids are told apart by case, and an unknown one is not found', async () => {
    await create(link('l1'));
    expect(await present('L1', '', '$ne', 'l1\0')).toEqual([]);
  });

  test('an id is given once; the link that has it stays as it is', async () => {
    await create(link('l1'));
    const again = create(link('l1', { keyId: 'k2' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect((await store().findById('l1'))?.link.keyId).toBe('k1');
  });

  test('of many who take a link at the same time exactly one does, and none of another team', async () => {
    await create(link('l1'));
    expect(await store().take('t2', 'l1')).toBe(false);
    const taken = await Promise.all(Array.from({ length: 16 }, () => store().take('t1', 'l1')));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await present('l1')).toEqual([]);
    expect(await store().take('t1', 'none')).toBe(false);
  });

  test('a link beyond those that a key may have ends the oldest of the key', async () => {
    await create(link('old', { createdAt: createdAt - 2 }));
    await create(link('of-other', { createdAt: createdAt - 2, keyId: 'k2' }));
    await create(link('of-team', { createdAt: createdAt - 2, teamId: 't2' }));
    await create(link('newer', { createdAt: createdAt - 1 }), 2);
    await create(link('newest'), 2);
    expect(await present('old', 'newer', 'newest')).toEqual(['newer', 'newest']);
    expect(await present('of-other', 'of-team')).toEqual(['of-other', 'of-team']);
  });

  test('a new link clears away those of any team that have expired', async () => {
    await create(link('expired', { teamId: 't2', expiresAt: createdAt }));
    await create(link('valid', { teamId: 't2', expiresAt: createdAt + 1 }));
    await create(link('new'));
    expect(await present('expired', 'valid', 'new')).toEqual(['valid', 'new']);
  });
}
