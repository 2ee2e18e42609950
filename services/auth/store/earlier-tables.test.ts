import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { openAuthStores } from './open-stores.ts';

test('a key in a file from before access existed may write, and has no limit of its own', async () => {
  const directory = await temporaryDirectory();
  const database = new DatabaseSync(join(directory.path, 'auth.sqlite'));
  database.exec(`CREATE TABLE keys (
      key_id TEXT PRIMARY KEY, team_id TEXT NOT NULL, team_slug TEXT NOT NULL, member_id TEXT NOT NULL,
      member_handle TEXT NOT NULL, tier TEXT NOT NULL CHECK (tier IN ('team', 'external')),
      secret_hash TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
      last_used_at INTEGER
    ) STRICT;
    INSERT INTO keys VALUES ('k1', 'team', 'acme', 'm', 'ada', 'external', 'hash', 1, NULL, NULL, 5);`);
  database.close();

  for (const start of ['first', 'second']) {
    const stores = await openAuthStores({ engine: 'sqlite', directory: directory.path });
    const stored = await stores.keys.findById('k1');
    expect(stored?.key, start).toMatchObject({
      access: 'write',
      itemWritesPerMinute: null,
      isForSignIn: false,
      lastUsedAt: 5,
    });
    expect(await stores.keys.list('team', { createdAt: 0, keyId: '' }, 10)).toEqual([stored?.key]);
    await stores.close();
  }
  await directory.remove();
});

describeOnMongo('a key from before access existed', (connection) => {
  test('may write, and has no limit of its own', async () => {
    const stores = await openAuthStores({ engine: 'mongodb', connection: connection() });
    const document = {
      team_id: 'team',
      team_slug: 'acme',
      member_id: 'm',
      member_handle: 'ada',
      tier: 'team',
    };
    const times = { created_at: 1, expires_at: null, revoked_at: null, last_used_at: null };
    const keys = connection().db.collection<{ _id: string; [field: string]: unknown }>('keys');
    await keys.insertOne({ _id: 'k1', ...document, secret_hash: 'hash', ...times });
    expect((await stores.keys.findById('k1'))?.key).toMatchObject({
      access: 'write',
      itemWritesPerMinute: null,
      isForSignIn: false,
    });
    await stores.close();
  });
});
