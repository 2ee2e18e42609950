import { expect, test } from 'vitest';
import type { RegisteredApp, RegisteredAppStore } from '../domain/registered-apps.ts';

/** Declares the tests that every store of registered apps passes; `store` returns the empty store of the running test. */
export function registeredAppStoreContract(store: () => RegisteredAppStore): void {
  const createdAt = 1_795_219_200_123;
  const app = (clientId: string, fields: Partial<RegisteredApp> = {}): RegisteredApp => ({
    clientId,
    name: 'Otter',
    redirectUris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
    createdAt,
    usedAt: null,
    ...fields,
  });
  const add = (made: RegisteredApp, { unusedUntil = 0, max = 20 } = {}) =>
    store().add(made, { unusedUntil, max });
  const use = (clientId: string, at: number, { memberId = 'm1', max = 20 } = {}) =>
    store().use(clientId, { memberId, at }, max);
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((one) => one?.clientId ?? []);
  };

  test('an app reads back as it was added, and with its last use', async () => {
    const made = app('a1', { name: '', redirectUris: ['http://[::1]/"\\'] });
    await add(made);
    await add(app('a2'));
    expect(await store().findById('a1')).toEqual(made);
    await use('a1', createdAt + 5);
    await use('none', createdAt + 6);
    expect(await store().findById('a1')).toEqual({ ...made, usedAt: createdAt + 5 });
    expect(await present('A1', 'none', '', '$ne', 'a1\0')).toEqual([]);
  });

  test('a new app removes those without use that are too old, and the oldest beyond the number', async () => {
    await add(app('old', { createdAt: createdAt - 2 }));
    await add(app('used', { createdAt: createdAt - 2 }));
    await use('used', createdAt - 1);
    await add(app('young', { createdAt: createdAt - 1 }));
    await add(app('a1'), { unusedUntil: createdAt - 2 });
    expect(await present('old', 'used', 'young', 'a1')).toEqual(['used', 'young', 'a1']);
    await add(app('a2', { createdAt: createdAt + 1 }), { max: 2 });
    expect(await present('used', 'young', 'a1', 'a2')).toEqual(['used', 'a1', 'a2']);
  });

  test('of used apps those stay that were used last, and those without use stay beside them', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4']) await add(app(id));
    for (const [index, id] of ['a3', 'a1', 'a3', 'a2'].entries())
      await use(id, createdAt + index, { max: 2 });
    expect(await present('a1', 'a2', 'a3', 'a4')).toEqual(['a2', 'a3', 'a4']);
  });

  test('a member pushes out none that another was the first to use, nor takes it over by a use', async () => {
    const evil = { memberId: 'm2', max: 1 };
    for (const id of ['theirs', 'shared', 'e1', 'e2']) await add(app(id));
    await use('theirs', createdAt);
    await use('shared', createdAt);
    for (const [index, id] of ['shared', 'e1', 'e2'].entries()) await use(id, createdAt + 1 + index, evil);
    expect(await present('theirs', 'shared', 'e1', 'e2')).toEqual(['theirs', 'shared', 'e2']);
  });
}
