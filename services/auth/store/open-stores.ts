import { join } from 'node:path';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { AuthStores } from './auth-stores.ts';
import { createSqliteKeyStore, sqliteKeySchema } from './sqlite-key-store.ts';
import { createSqliteMemberStore, sqliteMemberSchema } from './sqlite-member-store.ts';
import {
  createSqliteServiceCredentialStore,
  sqliteServiceCredentialSchema,
} from './sqlite-service-credential-store.ts';
import { createSqliteTeamStore, sqliteTeamSchema } from './sqlite-team-store.ts';

export type { Storage };

/** Opens the stores in either engine, creating what is missing. The only place that knows both. */
export async function openAuthStores(storage: Storage): Promise<AuthStores> {
  if (storage.engine === 'sqlite') return openSqlite(storage);
  // The driver is a good part of a start, and of no use without a server.
  const { openMongoAuthStores } = await import('./open-mongo-stores.ts');
  return openMongoAuthStores(storage.connection);
}

async function openSqlite({
  directory,
  metrics,
}: Extract<Storage, { engine: 'sqlite' }>): Promise<AuthStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'auth.sqlite'),
    metrics,
    schema: sqliteTeamSchema + sqliteMemberSchema + sqliteKeySchema + sqliteServiceCredentialSchema,
  });
  return {
    teams: createSqliteTeamStore(database),
    members: createSqliteMemberStore(database),
    keys: createSqliteKeyStore(database),
    serviceCredentials: createSqliteServiceCredentialStore(database),
    async ready() {
      database.prepare('SELECT 1').get();
    },
    close: () => database.close(),
  };
}
