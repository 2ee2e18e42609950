import { join } from 'node:path';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { KeyStore } from '../domain/keys.ts';
import type { MemberStore } from '../domain/members.ts';
import type { ServiceCredentialStore } from '../domain/service-credentials.ts';
import type { TeamStore } from '../domain/teams.ts';
import { createSqliteKeyStore, sqliteKeySchema } from './sqlite-key-store.ts';
import { createSqliteMemberStore, sqliteMemberSchema } from './sqlite-member-store.ts';
import {
  createSqliteServiceCredentialStore,
  sqliteServiceCredentialSchema,
} from './sqlite-service-credential-store.ts';
import { createSqliteTeamStore, sqliteTeamSchema } from './sqlite-team-store.ts';

export type { Storage };

/** Everything that the service keeps. */
export interface AuthStores {
  teams: TeamStore;
  members: MemberStore;
  keys: KeyStore;
  serviceCredentials: ServiceCredentialStore;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends after the writes that wait. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. */
export function openAuthStores(storage: Storage): Promise<AuthStores> {
  return storage.engine === 'sqlite' ? openSqlite(storage) : openMongo(storage.connection);
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
    ready: database.ready,
    close: database.close,
  };
}

/** The driver takes a good part of a start, so it is loaded only where a server is configured. */
async function openMongo(connection: MongoConnection): Promise<AuthStores> {
  const [teams, members, keys, serviceCredentials] = await Promise.all([
    import('./mongo-team-store.ts'),
    import('./mongo-member-store.ts'),
    import('./mongo-key-store.ts'),
    import('./mongo-service-credential-store.ts'),
  ]);
  return {
    teams: await teams.createMongoTeamStore(connection),
    members: await members.createMongoMemberStore(connection),
    keys: await keys.createMongoKeyStore(connection),
    serviceCredentials: await serviceCredentials.createMongoServiceCredentialStore(connection),
    ready: connection.ping,
    close: async () => undefined,
  };
}
