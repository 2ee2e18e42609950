import { expect, test } from 'vitest';
import type { Refusal, RefusalStore } from '../domain/refusals.ts';

/** Declares the tests that every store of refusals passes; `store` returns the empty store of the running test. */
export function refusalStoreContract(store: () => RefusalStore): void {
  const refusal = (refusalId: string, fields: Partial<Refusal> = {}): Refusal => ({
    refusalId,
    memberId: 'm1',
    memberHandle: 'ada',
    keyId: 'k1',
    request: 'POST /api/v1/items',
    code: 'invalid_request',
    detail: 'No item was accepted.',
    rowKey: 'a/b.md',
    at: 1_795_219_200_123,
    ...fields,
  });
  const ids = async (teamId: string, memberId?: string, limit = 10) =>
    (await store().list(teamId, memberId, limit)).map(({ refusalId }) => refusalId);

  test('a refusal reads back as it was kept, in its own team only', async () => {
    await store().add('t1', [refusal('r1')], 5);
    expect(await store().list('t1', undefined, 5)).toEqual([refusal('r1')]);
    expect(await ids('t2')).toEqual([]);
  });

  test('the newest come first, of the team or of one member, and no more than asked for', async () => {
    const at = 1_795_219_200_123;
    await store().add('t1', [refusal('r1'), refusal('r3'), refusal('r2', { memberId: 'm2' })], 5);
    await store().add('t1', [refusal('r0', { at: at + 1 }), refusal('r9', { at: at - 1 })], 5);
    expect(await ids('t1')).toEqual(['r0', 'r3', 'r2', 'r1', 'r9']);
    expect(await ids('t1', 'm2')).toEqual(['r2']);
    expect(await ids('t1', undefined, 2)).toEqual(['r0', 'r3']);
  });

  test('a team keeps its last ones, and those of another are not touched', async () => {
    await store().add('t2', [refusal('other', { at: 1 })], 3);
    const all = Array.from({ length: 3 }, (_, index) => refusal(`r${index}`, { at: index }));
    await store().add('t1', all, 3);
    await store().add('t1', [refusal('r8', { at: 8 }), refusal('r9', { at: 9 })], 3);
    expect(await ids('t1')).toEqual(['r9', 'r8', 'r2']);
    expect(await ids('t2')).toEqual(['other']);
    await store().add('t1', [], 3);
  });
}
