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
  const present = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => store().findById(id)));
    return found.flatMap((one) => one?.clientId ?? []);
  };

  test('an app reads back as it was added, and with its last use', async () => {
    const made = app('a1', { name: '', redirectUris: ['http://[::1]/"\\'] });
    await add(made);
    await add(app('a2'));
    expect(await store().findById('a1')).toEqual(made);
    await store().use('a1', createdAt + 5, 20);
    await store().use('none', createdAt + 6, 20);
    expect(await store().findById('a1')).toEqual({ ...made, usedAt: createdAt + 5 });
    expect(await present('A1', 'none', '', '$ne', 'a1\0')).toEqual([]);
  });

  test('a new app removes those without use that are too old, and the oldest beyond the number', async () => {
    await add(app('old', { createdAt: createdAt - 2 }));
    await add(app('used', { createdAt: createdAt - 2 }));
    await store().use('used', createdAt - 1, 20);
    await add(app('young', { createdAt: createdAt - 1 }));
    await add(app('a1'), { unusedUntil: createdAt - 2 });
    expect(await present('old', 'used', 'young', 'a1')).toEqual(['used', 'young', 'a1']);
    await add(app('a2', { createdAt: createdAt + 1 }), { max: 2 });
    expect(await present('used', 'young', 'a1', 'a2')).toEqual(['used', 'a1', 'a2']);
  });

  test('of used apps those stay that were used last, and those without use stay beside them', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4']) await add(app(id));
    await store().use('a3', createdAt + 1, 2);
    await store().use('a1', createdAt + 2, 2);
    await store().use('a3', createdAt + 3, 2);
    await store().use('a2', createdAt + 4, 2);
    expect(await present('a1', 'a2', 'a3', 'a4')).toEqual(['a2', 'a3', 'a4']);
  });
}
