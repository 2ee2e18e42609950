import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { ServiceCredential, ServiceCredentialStore } from '../domain/service-credentials.ts';

/** Where credentials are stored that belong to no team. */
export type CredentialTable = 'service_credentials' | 'operators';

/** The tables and indexes that `createSqliteServiceCredentialStore` uses. */
export const sqliteServiceCredentialSchema = (table: CredentialTable): string => `
  CREATE TABLE IF NOT EXISTS ${table} (
    credential_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;`;

const columns = `credential_id AS credentialId, name, scopes, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt`;

/** A row; its scopes are joined by blanks, as in OAuth, where they have none in them either. */
type CredentialRow = Omit<ServiceCredential, 'scopes'> & { scopes: string };

/** Creates the store of service credentials, or of operators, in an SQLite file. */
export function createSqliteServiceCredentialStore(
  database: SqliteDatabase,
  table: CredentialTable,
): ServiceCredentialStore {
  const insert = database.prepare(
    `INSERT INTO ${table} (credential_id, name, scopes, secret_hash, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const selectById = database.prepare(
    `SELECT ${columns}, secret_hash AS secretHash FROM ${table} WHERE credential_id = ?`,
  );
  const selectByName = database.prepare(`SELECT ${columns} FROM ${table} WHERE name = ?`);
  const selectPage = database.prepare(`SELECT ${columns} FROM ${table} WHERE name > ? ORDER BY name LIMIT ?`);
  const setRevoked = database.prepare(
    `UPDATE ${table} SET revoked_at = coalesce(revoked_at, ?) WHERE name = ? RETURNING ${columns}`,
  );

  return {
    async create({ credential, secretHash }) {
      const { credentialId, name, scopes, createdAt, expiresAt, revokedAt } = credential;
      const { changes } = await database.write(() =>
        insert.run(credentialId, name, scopes.join(' '), secretHash, createdAt, expiresAt, revokedAt),
      );
      if (changes === 0) {
        throw new AppError('already_exists', 'The name was given before.');
      }
    },

    async findById(credentialId) {
      const row = selectById.get(credentialId) as (CredentialRow & { secretHash: string }) | undefined;
      if (row === undefined) return undefined;
      const { secretHash, ...credential } = row;
      return { credential: credentialFrom(credential), secretHash };
    },

    async findByName(name) {
      const row = selectByName.get(name) as CredentialRow | undefined;
      return row && credentialFrom(row);
    },

    async list(afterName, limit) {
      return (selectPage.all(afterName, limit) as unknown as CredentialRow[]).map(credentialFrom);
    },

    async revoke(name, at) {
      const row = await database.writeWithReserve(
        () => setRevoked.get(at, name) as CredentialRow | undefined,
      );
      return row && credentialFrom(row);
    },
  };
}

function credentialFrom(row: CredentialRow): ServiceCredential {
  return { ...row, scopes: row.scopes.split(' ') };
}
