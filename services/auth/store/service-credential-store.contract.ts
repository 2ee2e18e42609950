import { expect, test } from 'vitest';
import type { ServiceCredential, ServiceCredentialStore } from '../domain/service-credentials.ts';

/** Declares the tests that every store of service credentials passes; `store` returns the empty store of the running test. */
export function serviceCredentialStoreContract(store: () => ServiceCredentialStore): void {
  const createdAt = 1_795_219_200_123;
  const secretHash = 'ab'.repeat(32);
  const credential = (name: string, fields: Partial<ServiceCredential> = {}): ServiceCredential => ({
    credentialId: `id-of-${name}`,
    name,
    scopes: ['auth:read', 'feed:read'],
    createdAt,
    expiresAt: null,
    revokedAt: null,
    ...fields,
  });
  const create = (made: ServiceCredential) => store().create({ credential: made, secretHash });

  test('a service credential reads back as it was created, with its hash', async () => {
    const made = credential('search', { scopes: ['feed:read'], expiresAt: createdAt + 1 });
    await create(made);
    await create(credential('other'));
    expect(await store().findById('id-of-search')).toEqual({ credential: made, secretHash });
    expect(await store().findByName('search')).toEqual(made);
    expect(await store().findByName('id-of-search')).toBeUndefined();
  });

  test('ids are told apart by case, and an unknown one is not found', async () => {
    await create(credential('search'));
    for (const id of ['ID-OF-SEARCH', '', 'search', '$ne', 'id-of-search\0']) {
      expect(await store().findById(id), id).toBeUndefined();
    }
  });

  test('a name is given once, however many ask for it at the same time', async () => {
    const attempts = Array.from({ length: 16 }, (_, index) =>
      create(credential('search', { credentialId: `id-${index}` })),
    );
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(15);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'already_exists' });
    const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
    const stored = credential('search', { credentialId: `id-${winner}` });
    expect(await store().list('', 10)).toEqual([stored]);
  });

  test('an id is given once; the credential that has it stays as it is', async () => {
    await create(credential('search', { credentialId: 'id' }));
    const again = create(credential('other', { credentialId: 'id' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect(await store().list('', 10)).toEqual([credential('search', { credentialId: 'id' })]);
  });

  test('a revocation is kept, a later one does not move it, and the name stays taken', async () => {
    await create(credential('search'));
    await create(credential('other'));
    const revoked = credential('search', { revokedAt: createdAt + 5 });
    expect(await store().revoke('search', createdAt + 5)).toEqual(revoked);
    expect(await store().revoke('search', createdAt + 9)).toEqual(revoked);
    expect(await store().findById('id-of-search')).toEqual({ credential: revoked, secretHash });
    expect(await store().revoke('none', createdAt)).toBeUndefined();
    const again = create(credential('search', { credentialId: 'new' }));
    await expect(again).rejects.toMatchObject({ code: 'already_exists' });
    expect(await store().list('', 10)).toEqual([credential('other'), revoked]);
  });

  test('they are listed by name, in pages that neither overlap nor leave one out', async () => {
    for (const name of ['b', 'a-b', 'a', 'c', 'a0', '0']) await create(credential(name));
    const names = async (after: string, limit: number) =>
      (await store().list(after, limit)).map(({ name }) => name);
    expect(await names('', 10)).toEqual(['0', 'a', 'a-b', 'a0', 'b', 'c']);
    expect(await names('', 2)).toEqual(['0', 'a']);
    expect(await names('a', 2)).toEqual(['a-b', 'a0']);
    expect(await names('c', 10)).toEqual([]);
  });
}
