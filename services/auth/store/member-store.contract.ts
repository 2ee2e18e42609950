import { expect, test } from 'vitest';
import type { Member, MemberStore } from '../domain/members.ts';

/** Declares the tests that every store of members passes; `store` returns the empty store of the running test. */
export function memberStoreContract(store: () => MemberStore): void {
  let nextId = 0;
  const member = (handle: string): Member => ({
    memberId: `member-${nextId++}`,
    handle,
    role: 'admin',
    createdAt: 1_795_219_200_123,
  });

  test('a member reads back as it was added', async () => {
    const ada = member('ada');
    await store().add('team-1', ada);
    expect(await store().findByHandle('team-1', 'ada')).toEqual(ada);
  });

  test('members of one team are invisible to another', async () => {
    await store().add('team-1', member('ada'));
    expect(await store().findByHandle('team-2', 'ada')).toBeUndefined();
    expect(await store().list('team-2', '', 10)).toEqual([]);
  });

  test('two teams may have the same handle, one team may not', async () => {
    const first = member('ada');
    await store().add('team-1', first);
    await store().add('team-2', { ...member('ada'), role: 'member' });
    await expect(store().add('team-1', member('ada'))).rejects.toMatchObject({ code: 'already_exists' });
    expect(await store().list('team-1', '', 10)).toEqual([first]);
    expect(await store().findByHandle('team-2', 'ada')).toMatchObject({ role: 'member' });
  });

  test('a removed member is gone, in one team only, and the handle is free', async () => {
    await store().add('team-1', member('ada'));
    await store().add('team-2', member('ada'));
    expect(await store().remove('team-1', 'ada')).toBe(true);
    expect(await store().remove('team-1', 'ada')).toBe(false);
    expect(await store().findByHandle('team-1', 'ada')).toBeUndefined();
    expect(await store().findByHandle('team-2', 'ada')).toBeDefined();
    const next = member('ada');
    await store().add('team-1', next);
    expect(await store().list('team-1', '', 10)).toEqual([next]);
  });

  test('a role is changed in one team only, and whether a team has an administrator is known', async () => {
    const ada = member('ada');
    await store().add('team-1', ada);
    await store().add('team-2', member('ada'));
    expect(await store().setRole('team-1', 'ada', 'member')).toEqual({ ...ada, role: 'member' });
    expect(await store().setRole('team-1', 'bo', 'admin')).toBeUndefined();
    expect(await store().findByHandle('team-1', 'ada')).toMatchObject({ role: 'member' });
    expect(await store().hasAdministrator('team-1')).toBe(false);
    expect(await store().hasAdministrator('team-2')).toBe(true);
  });

  test('a handle is given once, however many ask for it at the same time', async () => {
    const attempts = Array.from({ length: 16 }, () => store().add('team-1', member('ada')));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().list('team-1', '', 20)).toHaveLength(1);
  });

  test('members are listed by handle, in pages that neither overlap nor leave one out', async () => {
    for (const handle of ['b', 'a_b', 'a', 'a.b', 'a-b', '0']) await store().add('team-1', member(handle));
    const handles = async (after: string, limit: number) =>
      (await store().list('team-1', after, limit)).map(({ handle }) => handle);
    expect(await handles('', 10)).toEqual(['0', 'a', 'a-b', 'a.b', 'a_b', 'b']);
    expect(await handles('', 3)).toEqual(['0', 'a', 'a-b']);
    expect(await handles('a-b', 10)).toEqual(['a.b', 'a_b', 'b']);
  });
}
