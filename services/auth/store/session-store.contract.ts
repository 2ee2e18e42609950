import { expect, test } from 'vitest';
import type { Session, SessionStore } from '../domain/sessions.ts';

/** Declares the tests that every store of sessions passes; `store` returns the empty store of the running test. */
export function sessionStoreContract(store: () => SessionStore): void {
  const createdAt = 1_795_219_200_123;
  const secretHash = 'ab'.repeat(32);
  const session = (sessionId: string, fields: Partial<Session> = {}): Session => ({
    sessionId,
    teamId: 't1',
    keyId: 'k1',
    memberId: 'm1',
    tier: 'team',
    createdAt,
    expiresAt: createdAt + 1_000,
    ...fields,
  });
  const create = (made: Session, maxOfKey = 20) =>
    store().create(made.teamId, { session: made, secretHash }, maxOfKey);
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((stored) => stored?.session.sessionId ?? []);
  };

  test('a session reads back as it was created, with its hash', async () => {
    const made = session('s1', { teamId: 't2', tier: 'external' });
    await create(made);
    await create(session('s2'));
    expect(await store().findById('s1')).toEqual({ session: made, secretHash });
  });

  test('ids are told apart by case, and an unknown one is not found', async () => {
    await create(session('s1'));
    expect(await present('S1', '', '$ne', 's1\0')).toEqual([]);
  });

  test('an id is given once; the session that has it stays as it is', async () => {
    await create(session('s1'));
    const again = create(session('s1', { memberId: 'm2' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect((await store().findById('s1'))?.session.memberId).toBe('m1');
  });

  test('a session beyond those that a key may have ends the oldest of the key', async () => {
    await create(session('old', { createdAt: createdAt - 2 }));
    await create(session('external', { createdAt: createdAt - 2, tier: 'external', keyId: 'k2' }));
    await create(session('of-other', { createdAt: createdAt - 2, keyId: 'k3' }));
    await create(session('of-team', { createdAt: createdAt - 2, teamId: 't2' }));
    await create(session('newer', { createdAt: createdAt - 1 }), 2);
    expect(await present('old', 'newer')).toEqual(['old', 'newer']);
    await create(session('newest'), 2);
    expect(await present('old', 'newer', 'newest')).toEqual(['newer', 'newest']);
    expect(await present('external', 'of-other', 'of-team')).toEqual(['external', 'of-other', 'of-team']);
  });

  test('a new session clears away those of any team that have expired', async () => {
    await create(session('expired', { teamId: 't2', expiresAt: createdAt }));
    await create(session('valid', { teamId: 't2', expiresAt: createdAt + 1 }));
    await create(session('new'));
    expect(await present('expired', 'valid', 'new')).toEqual(['valid', 'new']);
  });

  test('a session is removed in its own team only, and removing it again does nothing', async () => {
    await create(session('s1'));
    await create(session('s2'));
    await store().remove('t2', 's1');
    expect(await present('s1')).toEqual(['s1']);
    await store().remove('t1', 's1');
    await store().remove('t1', 's1');
    expect(await present('s1', 's2')).toEqual(['s2']);
  });

  test('the sessions of a member are removed by tier, and only those are counted that were valid', async () => {
    await create(session('team', { keyId: 'k2' }));
    await create(session('external', { tier: 'external' }));
    await create(session('expired', { tier: 'external', expiresAt: createdAt + 1 }));
    await create(session('of-other', { memberId: 'm2' }));
    await create(session('of-team', { teamId: 't2' }));
    expect(await store().removeOfMember('t1', 'm1', ['external'], createdAt + 1)).toBe(1);
    expect(await present('team', 'external', 'expired')).toEqual(['team']);
    expect(await store().removeOfMember('t1', 'm1', ['team', 'external'], createdAt)).toBe(1);
    expect(await store().removeOfMember('t1', 'm1', ['team', 'external'], createdAt)).toBe(0);
    expect(await present('team', 'of-other', 'of-team')).toEqual(['of-other', 'of-team']);
  });
}
