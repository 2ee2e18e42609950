import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { RegisteredApp, RegisteredAppStore } from '../domain/registered-apps.ts';

/** The table that `createSqliteRegisteredAppStore` uses. */
export const sqliteRegisteredAppSchema = `
  CREATE TABLE IF NOT EXISTS registered_apps (
    client_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    used_by TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS registered_apps_unused ON registered_apps (used_at, created_at);
  CREATE INDEX IF NOT EXISTS registered_apps_of_member ON registered_apps (used_by, used_at);`;

/** Columns that older tables of apps lack. Null: nobody let it act since there is this column. */
export const sqliteRegisteredAppColumns = ['used_by TEXT'];

/** Creates the store of apps that registered themselves in an SQLite file. */
export function createSqliteRegisteredAppStore(database: SqliteDatabase): RegisteredAppStore {
  const insert = database.prepare(
    'INSERT INTO registered_apps (client_id, name, redirect_uris, created_at, used_at) VALUES (?, ?, ?, ?, ?)',
  );
  const deleteUnused = database.prepare(
    'DELETE FROM registered_apps WHERE used_at IS NULL AND created_at <= ?',
  );
  const deleteOldestUnused = database.prepare(
    `DELETE FROM registered_apps WHERE client_id IN (
       SELECT client_id FROM registered_apps WHERE used_at IS NULL
       ORDER BY created_at DESC, client_id DESC LIMIT -1 OFFSET ?)`,
  );
  const deleteOldestUsed = database.prepare(
    `DELETE FROM registered_apps WHERE client_id IN (
       SELECT client_id FROM registered_apps WHERE used_by = ?
       ORDER BY used_at DESC, created_at DESC, client_id DESC LIMIT -1 OFFSET ?)`,
  );
  const selectById = database.prepare(
    `SELECT client_id AS clientId, name, redirect_uris AS redirectUris, created_at AS createdAt, used_at AS usedAt
     FROM registered_apps WHERE client_id = ?`,
  );
  const setUsed = database.prepare(
    'UPDATE registered_apps SET used_at = ?, used_by = ifnull(used_by, ?) WHERE client_id = ?',
  );

  return {
    async add({ clientId, name, redirectUris, createdAt, usedAt }, { unusedUntil, max }) {
      await database.write(() => {
        deleteUnused.run(unusedUntil);
        deleteOldestUnused.run(max - 1);
        insert.run(clientId, name, JSON.stringify(redirectUris), createdAt, usedAt);
      });
    },

    async findById(clientId) {
      type Row = Omit<RegisteredApp, 'redirectUris'> & { redirectUris: string };
      const row = selectById.get(clientId) as Row | undefined;
      return row && { ...row, redirectUris: JSON.parse(row.redirectUris) };
    },

    async use(clientId, { memberId, at }, max) {
      await database.write(() => {
        setUsed.run(at, memberId, clientId);
        deleteOldestUsed.run(memberId, max);
      });
    },
  };
}
