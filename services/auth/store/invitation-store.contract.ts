import { expect, test } from 'vitest';
import type { Invitation, InvitationStore } from '../domain/invitations.ts';

/** Declares the tests that every store of invitations passes; `store` returns the empty store of the running test. */
export function invitationStoreContract(store: () => InvitationStore): void {
  const createdAt = 1_795_219_200_123;
  const secretHash = 'ab'.repeat(32);
  const invitation = (invitationId: string, fields: Partial<Invitation> = {}): Invitation => ({
    invitationId,
    teamId: 't1',
    teamSlug: 'acme',
    role: 'member',
    tier: 'team',
    access: 'write',
    makerId: 'id-of-ada',
    makerHandle: 'ada',
    makerKeyId: 'k1',
    createdAt,
    expiresAt: createdAt + 1_000,
    ...fields,
  });
  const create = (made: Invitation) => store().create(made.teamId, { invitation: made, secretHash });
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((stored) => stored?.invitation.invitationId ?? []);
  };

  test('an invitation reads back as it was created, with its hash', async () => {
    const made = invitation('i1', { teamId: 't2', role: 'admin', tier: 'external', access: 'own' });
    await create(made);
    await create(invitation('i2'));
    expect(await store().findById('i1')).toEqual({ invitation: made, secretHash });
    expect(await present('I1', '', '$ne', 'i1\0')).toEqual([]);
  });

  test('an id is given once; the invitation that has it stays as it is', async () => {
    await create(invitation('i1'));
    const again = create(invitation('i1', { makerHandle: 'bo' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect((await store().findById('i1'))?.invitation.makerHandle).toBe('ada');
  });

  test('of many who take one at the same time exactly one does, and none of another team', async () => {
    await create(invitation('i1'));
    expect(await store().take('t2', 'i1')).toBe(false);
    const taken = await Promise.all(Array.from({ length: 16 }, () => store().take('t1', 'i1')));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await present('i1')).toEqual([]);
  });

  test('as many names as may be are counted, however many are tried at the same time', async () => {
    await create(invitation('i1'));
    await create(invitation('i2'));
    expect(await store().countName('t2', 'i1', 3)).toBeUndefined();
    const counted = await Promise.all(Array.from({ length: 8 }, () => store().countName('t1', 'i1', 3)));
    expect(counted.filter((names) => names !== undefined).toSorted()).toEqual([1, 2, 3]);
    expect(await store().countName('t1', 'i2', 3)).toBe(1);
    expect(await store().countName('t1', 'none', 3)).toBeUndefined();
  });

  test('those of a team that have not expired are listed, newest first, up to a limit', async () => {
    await create(invitation('expired', { expiresAt: createdAt + 1 }));
    await create(invitation('older', { createdAt: createdAt - 1 }));
    for (const id of ['a', 'b']) await create(invitation(id));
    await create(invitation('of-other', { teamId: 't2' }));
    const ids = async (limit: number) =>
      (await store().list('t1', createdAt + 1, limit)).map(({ invitationId }) => invitationId);
    expect(await ids(10)).toEqual(['b', 'a', 'older']);
    expect(await ids(2)).toEqual(['b', 'a']);
  });

  test('those of a key, and of a member, are removed together, and nobody else loses one', async () => {
    await create(invitation('of-key', { makerKeyId: 'k2' }));
    await create(invitation('of-ada'));
    await create(invitation('of-bo', { makerHandle: 'bo', makerKeyId: 'k3' }));
    await create(invitation('of-team', { teamId: 't2', makerKeyId: 'k2' }));
    await store().removeOfKey('t1', 'k2');
    expect(await present('of-key', 'of-ada', 'of-bo', 'of-team')).toEqual(['of-ada', 'of-bo', 'of-team']);
    await store().removeOfMember('t1', 'ada');
    expect(await present('of-ada', 'of-bo', 'of-team')).toEqual(['of-bo', 'of-team']);
  });

  test('a new one clears away those of any team that have expired', async () => {
    await create(invitation('expired', { teamId: 't2', expiresAt: createdAt }));
    await create(invitation('valid', { teamId: 't2', expiresAt: createdAt + 1 }));
    await create(invitation('new'));
    expect(await present('expired', 'valid', 'new')).toEqual(['valid', 'new']);
  });
}
