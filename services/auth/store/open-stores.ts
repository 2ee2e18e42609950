import { join } from 'node:path';
import type { AuditStore } from '@teammemory/audit/audit-store.ts';
import { auditSections } from '@teammemory/audit/audit-tables.ts';
import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import type { StoreSchema } from '@teammemory/migrations/schema-version.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SqliteStorage, Storage } from '@teammemory/mongo/storage.ts';
import { createSqliteAuditStore, sqliteAuditSchema } from '@teammemory/sqlite/audit-store.ts';
import {
  sqliteBackupSection,
  sqliteRestoreRecords,
  sqliteRestoreSchema,
} from '@teammemory/sqlite/backup-tables.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { AppTokenStore } from '../domain/apps.ts';
import type { InvitationStore } from '../domain/invitations.ts';
import type { KeyStore } from '../domain/keys.ts';
import type { MemberStore } from '../domain/members.ts';
import type { RefusalStore } from '../domain/refusals.ts';
import type { RegisteredAppStore } from '../domain/registered-apps.ts';
import type { ServiceCredentialStore } from '../domain/service-credentials.ts';
import type { SessionStore, SignInLinkStore } from '../domain/sessions.ts';
import type { SignInAddressStore } from '../domain/sign-in-addresses.ts';
import type { TeamStore } from '../domain/teams.ts';
import { backupTables } from './backup-tables.ts';
import { revokeOfMissingMembers, revokeOfMissingMembersInMongo } from './restored-members.ts';
import {
  createSqliteAppTokenStore,
  sqliteAppTokenColumns,
  sqliteAppTokenSchema,
} from './sqlite-app-token-store.ts';
import { createSqliteInvitationStore, sqliteInvitationSchema } from './sqlite-invitation-store.ts';
import { createSqliteKeyStore, sqliteKeyColumns, sqliteKeySchema } from './sqlite-key-store.ts';
import { createSqliteMemberStore, sqliteMemberSchema } from './sqlite-member-store.ts';
import { createSqliteRefusalStore, sqliteRefusalSchema } from './sqlite-refusal-store.ts';
import {
  createSqliteRegisteredAppStore,
  sqliteRegisteredAppColumns,
  sqliteRegisteredAppSchema,
} from './sqlite-registered-app-store.ts';
import {
  createSqliteServiceCredentialStore,
  sqliteServiceCredentialSchema,
} from './sqlite-service-credential-store.ts';
import { createSqliteSessionStore, sqliteSessionSchema } from './sqlite-session-store.ts';
import { createSqliteSignInAddressStore, sqliteSignInAddressSchema } from './sqlite-sign-in-address-store.ts';
import { createSqliteSignInLinkStore, sqliteSignInLinkSchema } from './sqlite-sign-in-link-store.ts';
import { createSqliteTeamStore, sqliteTeamSchema } from './sqlite-team-store.ts';

/** Exported again because `service.ts` may not import from a database library. */
export type { Storage };

/** The form of the stored data; docs/upgrading.md says when to raise it. */
const schema: StoreSchema = { store: 'auth', version: 1, readableFrom: 0 };

/** Everything that the service stores. */
export interface AuthStores {
  teams: TeamStore;
  members: MemberStore;
  keys: KeyStore;
  serviceCredentials: ServiceCredentialStore;
  operators: ServiceCredentialStore;
  sessions: SessionStore;
  signInLinks: SignInLinkStore;
  appTokens: AppTokenStore;
  registeredApps: RegisteredAppStore;
  invitations: InvitationStore;
  signInAddresses: SignInAddressStore;
  refusals: RefusalStore;
  audit: AuditStore;
  /** What backup and restore read and write. */
  backup: BackupStore;
  /** Resolves when the database answers, else throws. */
  ready(): Promise<void>;
  /** Finishes waiting writes, then closes what was opened here. A MongoDB connection belongs to its owner. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. */
export function openAuthStores(storage: Storage): Promise<AuthStores> {
  return storage.engine === 'sqlite' ? openSqliteStores(storage) : openMongoStores(storage.connection);
}

async function openSqliteStores({ directory, room, metrics }: SqliteStorage): Promise<AuthStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'auth.sqlite'),
    version: schema,
    room,
    metrics,
    schema: [
      sqliteTeamSchema,
      sqliteMemberSchema,
      sqliteKeySchema,
      sqliteServiceCredentialSchema('service_credentials'),
      sqliteServiceCredentialSchema('operators'),
      sqliteSessionSchema,
      sqliteSignInLinkSchema,
      sqliteAppTokenSchema,
      sqliteRegisteredAppSchema,
      sqliteInvitationSchema,
      sqliteSignInAddressSchema,
      sqliteRefusalSchema,
      sqliteAuditSchema('auth'),
      sqliteRestoreSchema,
    ].join('\n'),
    addedColumns: {
      keys: sqliteKeyColumns,
      app_tokens: sqliteAppTokenColumns,
      registered_apps: sqliteRegisteredAppColumns,
    },
  });
  return {
    teams: createSqliteTeamStore(database),
    members: createSqliteMemberStore(database),
    keys: createSqliteKeyStore(database),
    serviceCredentials: createSqliteServiceCredentialStore(database, 'service_credentials'),
    operators: createSqliteServiceCredentialStore(database, 'operators'),
    sessions: createSqliteSessionStore(database),
    signInLinks: createSqliteSignInLinkStore(database),
    appTokens: createSqliteAppTokenStore(database),
    registeredApps: createSqliteRegisteredAppStore(database),
    invitations: createSqliteInvitationStore(database),
    signInAddresses: createSqliteSignInAddressStore(database),
    refusals: createSqliteRefusalStore(database),
    audit: createSqliteAuditStore(database, 'auth'),
    backup: {
      sections: [
        ...backupTables.map((table) => sqliteBackupSection(database, table)),
        ...auditSections('auth', (table) => sqliteBackupSection(database, table)),
      ],
      records: sqliteRestoreRecords(database),
      finish: (at) => revokeOfMissingMembers(database, at),
    },
    ready: database.ready,
    close: database.close,
  };
}

async function openMongoStores(connection: MongoConnection): Promise<AuthStores> {
  const { openMongoSchema } = await import('@teammemory/mongo/schema-record.ts');
  await openMongoSchema(connection, schema);
  const backup = await import('@teammemory/mongo/backup-tables.ts');
  const audit = await import('@teammemory/mongo/audit-store.ts');
  // Imported here because the driver takes a good part of a start, and is not needed without a server.
  const [
    teams,
    members,
    keys,
    serviceCredentials,
    sessions,
    signInLinks,
    appTokens,
    registeredApps,
    invitations,
    addresses,
    refusals,
  ] = await Promise.all([
    import('./mongo-team-store.ts'),
    import('./mongo-member-store.ts'),
    import('./mongo-key-store.ts'),
    import('./mongo-service-credential-store.ts'),
    import('./mongo-session-store.ts'),
    import('./mongo-sign-in-link-store.ts'),
    import('./mongo-app-token-store.ts'),
    import('./mongo-registered-app-store.ts'),
    import('./mongo-invitation-store.ts'),
    import('./mongo-sign-in-address-store.ts'),
    import('./mongo-refusal-store.ts'),
  ]);
  return {
    teams: await teams.createMongoTeamStore(connection),
    members: await members.createMongoMemberStore(connection),
    keys: await keys.createMongoKeyStore(connection),
    serviceCredentials: await serviceCredentials.createMongoServiceCredentialStore(
      connection,
      'service_credentials',
    ),
    operators: await serviceCredentials.createMongoServiceCredentialStore(connection, 'operators'),
    sessions: await sessions.createMongoSessionStore(connection),
    signInLinks: await signInLinks.createMongoSignInLinkStore(connection),
    appTokens: await appTokens.createMongoAppTokenStore(connection),
    registeredApps: await registeredApps.createMongoRegisteredAppStore(connection),
    invitations: await invitations.createMongoInvitationStore(connection),
    signInAddresses: await addresses.createMongoSignInAddressStore(connection),
    refusals: await refusals.createMongoRefusalStore(connection),
    audit: await audit.createMongoAuditStore(connection, 'auth'),
    backup: {
      sections: [
        ...backupTables.map((table) => backup.mongoBackupSection(connection, table)),
        ...auditSections('auth', (table) => backup.mongoBackupSection(connection, table)),
      ],
      records: backup.mongoRestoreRecords(connection, 'auth'),
      finish: (at) => revokeOfMissingMembersInMongo(connection, at),
    },
    ready: connection.ping,
    close: async () => undefined,
  };
}
