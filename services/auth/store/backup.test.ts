import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { BackupRow } from '@teammemory/backup/backup-store.ts';
import { createRestore } from '@teammemory/backup/restore.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { storedTables, uniqueFields } from '@teammemory/testkit/stored-tables.ts';
import { expect, onTestFinished, test } from 'vitest';
import { backupTables, leftOut } from './backup-tables.ts';
import { openAuthStores } from './open-stores.ts';

describeEachEngine('the backup of auth', ({ storage }) => {
  test('has every table and collection, but for those that are left out for a reason', async () => {
    const stores = await openAuthStores(storage());
    const backedUp = stores.backup.sections.map(({ name }) => name);
    const tables = await storedTables(storage(), 'auth.sqlite');
    await stores.close();
    expect(tables.length).toBeGreaterThan(3);
    expect(tables.filter((name) => !(name in leftOut) && !backedUp.includes(name))).toEqual([]);
  });

  test('knows the fields that are unique beside the key of a table', async () => {
    const stores = await openAuthStores(storage());
    for (const { name, key, unique = [] } of backupTables) {
      const fields = await uniqueFields(storage(), 'auth.sqlite', name);
      const isKey = (names: readonly string[]) => names.join() === key.toSorted().join();
      const declared = unique.map((names) => names.toSorted());
      expect({ name, fields: fields.filter((names) => !isKey(names)) }).toEqual({ name, fields: declared });
    }
    await stores.close();
  });

  test('two restores that begin at once: one is refused, and the data is that of the other', async () => {
    const stores = await openAuthStores(storage());
    onTestFinished(stores.close);
    let now = 1_000_000;
    const team = (name: string) => ({ team_id: name, slug: name, name, created_at: 1 });
    for (let round = 0; round < 20; round += 1) {
      const people = await Promise.all(
        ['one', 'two', 'three'].map(async (name) => ({
          name,
          id: randomUUID(),
          restore: await createRestore(stores.backup, () => now),
        })),
      );
      const begun = await Promise.allSettled(people.map(({ restore, id }) => restore.begin(id)));
      const isWinner = begun.map(({ status }) => status === 'fulfilled');
      expect(isWinner.filter(Boolean)).toHaveLength(1);
      for (const [number, { name, id, restore }] of people.entries()) {
        const written = restore.restore(id, 'teams', () => [team(name)]);
        if (isWinner[number]) await written;
        else await expect(written).rejects.toMatchObject({ code: 'conflict' });
      }
      const winner = people[isWinner.indexOf(true)];
      expect((await stores.teams.list('', 10)).map(({ slug }) => slug)).toEqual([winner?.name]);
      // It is interrupted, and so the next may begin.
      now += 60_000;
    }
  });

  test('a handle that goes to another member while members are read: each handle is restored once, with its last member', async () => {
    const stores = await openAuthStores(storage());
    onTestFinished(stores.close);
    const handles = Array.from({ length: 520 }, (_, number) => `m${number}`);
    const add = (handle: string) =>
      stores.members.add('t', { memberId: randomUUIDv7(), handle, role: 'member', createdAt: 1 });
    for (const handle of handles) await add(handle);
    const section = stores.backup.sections.find(({ name }) => name === 'members');
    if (section === undefined) throw new Error('no members');
    const pages: (readonly BackupRow[])[] = [];
    for await (const page of section.read(new AbortController().signal)) {
      pages.push(page);
      if (pages.length > 1) continue;
      // Those of the first page leave, and their handles go to others, who are read with a later page.
      for (const { handle } of page.slice(0, 20)) {
        await stores.members.remove('t', handle as string);
        await add(handle as string);
      }
    }
    expect(pages.flat()).toHaveLength(540);
    const before = await stores.members.list('t', '', 1_000);
    for (const perCall of [200, 10_000]) {
      await section.clear();
      const rows = pages.flat();
      for (let start = 0; start < rows.length; start += perCall)
        await section.restore(rows.slice(start, start + perCall));
      expect(await stores.members.list('t', '', 1_000)).toEqual(before);
    }
  });

  test('keys and sign-in addresses of a member who was removed while the backup was made are not valid after a restore', async () => {
    const stores = await openAuthStores(storage());
    onTestFinished(stores.close);
    const member = (memberId: string, handle: string) =>
      stores.members.add('t', { memberId, handle, role: 'member', createdAt: 1 });
    const keyOf = (keyId: string, memberId: string, memberHandle: string) =>
      stores.keys.create('t', {
        secretHash: 'a'.repeat(64),
        key: {
          keyId,
          teamId: 't',
          teamSlug: 'team',
          memberId,
          memberHandle,
          tier: 'team',
          access: 'write',
          isForSignIn: false,
          createdAt: 1,
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null,
          itemWritesPerMinute: null,
        },
      });
    await member('m-left', 'ada');
    await member('m-stays', 'bo');
    await keyOf('k-left', 'm-left', 'ada');
    await keyOf('k-stays', 'm-stays', 'bo');
    for (const [address, memberId, memberHandle] of [
      ['ada@example.org', 'm-left', 'ada'],
      ['bo@example.org', 'm-stays', 'bo'],
    ] as const)
      await stores.signInAddresses.add('t', { address, memberId, memberHandle, createdAt: 1 });

    const saved = new Map<string, BackupRow[]>();
    for (const section of stores.backup.sections) {
      if (section.name === 'members') {
        // The handle goes to somebody else, too.
        await stores.keys.revokeOfMember('t', 'ada', 2);
        await stores.members.remove('t', 'ada');
        await stores.signInAddresses.removeOfMember('t', 'ada');
        await member('m-new', 'ada');
      }
      const rows = (await Array.fromAsync(section.read(new AbortController().signal))).flat();
      saved.set(section.name, rows);
    }
    for (const section of stores.backup.sections) await section.clear();
    for (const section of stores.backup.sections) await section.restore(saved.get(section.name) ?? []);
    await stores.backup.finish?.(7);
    const keys = await stores.keys.list('t', { createdAt: 0, keyId: '' }, 10);
    expect(keys.map(({ keyId, revokedAt }) => [keyId, revokedAt])).toEqual([
      ['k-left', 7],
      ['k-stays', null],
    ]);
    const addresses = await stores.signInAddresses.list('t', '', 10);
    expect(addresses.map(({ address }) => address)).toEqual(['bo@example.org']);
  });
});
