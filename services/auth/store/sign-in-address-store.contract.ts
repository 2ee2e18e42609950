import { expect, test } from 'vitest';
import type { SignInAddress, SignInAddressStore } from '../domain/sign-in-addresses.ts';

/** Declares the tests that every store of sign-in addresses passes; `store` returns the empty store of the running test. */
export function signInAddressStoreContract(store: () => SignInAddressStore): void {
  const addressOf = (address: string, memberHandle = 'ada'): SignInAddress => ({
    address,
    memberId: `id-of-${memberHandle}`,
    memberHandle,
    createdAt: 1_795_219_200_123,
  });

  test('an address reads back as it was added, in its own team only', async () => {
    const added = addressOf('ada@example.org');
    await store().add('t1', added);
    expect(await store().find('t1', 'ada@example.org')).toEqual(added);
    expect(await store().find('t2', 'ada@example.org')).toBeUndefined();
    expect(await store().find('t1', 'ADA@example.org')).toBeUndefined();
    expect(await store().list('t2', '', 10)).toEqual([]);
  });

  test('an address is given once in a team, however many ask for it at the same time', async () => {
    await store().add('t2', addressOf('a@example.org', 'bo'));
    const attempts = Array.from({ length: 8 }, () => store().add('t1', addressOf('a@example.org')));
    const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(7);
    await expect(store().add('t1', addressOf('a@example.org', 'bo'))).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await store().list('t1', '', 10)).toEqual([addressOf('a@example.org')]);
  });

  test('a removed address is gone, in one team only, and free again', async () => {
    for (const team of ['t1', 't2']) await store().add(team, addressOf('a@example.org'));
    expect(await store().remove('t1', 'a@example.org')).toBe(true);
    expect(await store().remove('t1', 'a@example.org')).toBe(false);
    expect(await store().find('t2', 'a@example.org')).toBeDefined();
    await store().add('t1', addressOf('a@example.org', 'bo'));
  });

  test('the addresses of a member are removed together, and nobody else loses one', async () => {
    for (const address of ['a@example.org', 'b@example.org']) await store().add('t1', addressOf(address));
    await store().add('t1', addressOf('c@example.org', 'bo'));
    await store().add('t2', addressOf('a@example.org'));
    await store().removeOfMember('t1', 'ada');
    expect(await store().list('t1', '', 10)).toEqual([addressOf('c@example.org', 'bo')]);
    expect(await store().list('t2', '', 10)).toHaveLength(1);
  });

  test('addresses are listed in order, in pages that neither overlap nor leave one out', async () => {
    const all = ['0@b', 'a+b@c', 'a-b@c', 'a.b@c', 'a@b', 'b@a'];
    for (const address of all.toReversed()) await store().add('t1', addressOf(address));
    const read = async (after: string, limit: number) =>
      (await store().list('t1', after, limit)).map(({ address }) => address);
    expect(await read('', 10)).toEqual(all);
    expect(await read('a+b@c', 2)).toEqual(['a-b@c', 'a.b@c']);
    expect(await read('b@a', 10)).toEqual([]);
  });
}
