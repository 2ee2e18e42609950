import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Key, KeyStore, KeysOf, StoredKey } from '../domain/keys.ts';
import { storedAccess } from './stored-access.ts';

/** The tables and indexes that `createSqliteKeyStore` uses. */
export const sqliteKeySchema = `
  CREATE TABLE IF NOT EXISTS keys (
    key_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    team_slug TEXT NOT NULL,
    member_id TEXT NOT NULL,
    member_handle TEXT NOT NULL,
    tier TEXT NOT NULL CHECK (tier IN ('team', 'external')),
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    access TEXT NOT NULL DEFAULT 'write' CHECK (access IN ('read', 'own', 'write')),
    item_writes_per_minute INTEGER,
    for_sign_in INTEGER NOT NULL DEFAULT 0,
    app_client_id TEXT,
    app_maker_key_id TEXT,
    proposes INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS keys_of_member ON keys (team_id, member_id, created_at, key_id);
  CREATE INDEX IF NOT EXISTS keys_by_age ON keys (team_id, created_at, key_id);
  CREATE INDEX IF NOT EXISTS keys_for_sign_in ON keys (team_id, member_id, created_at, key_id) WHERE for_sign_in = 1;
  CREATE INDEX IF NOT EXISTS keys_of_maker ON keys (team_id, app_maker_key_id) WHERE app_maker_key_id IS NOT NULL;`;

/** Columns that tables of earlier versions lack. */
export const sqliteKeyColumns = ['app_client_id TEXT', 'app_maker_key_id TEXT', 'proposes INTEGER'];

const columns = `key_id AS keyId, team_id AS teamId, team_slug AS teamSlug, member_id AS memberId,
  member_handle AS memberHandle, tier, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, last_used_at AS lastUsedAt, iif(proposes, 'propose', access) AS access,
  item_writes_per_minute AS itemWritesPerMinute, for_sign_in AS forSignIn,
  app_client_id AS appClientId, app_maker_key_id AS appMakerKeyId`;

/** A row; SQLite has no type for truth. */
type KeyRow = Omit<Key, 'isForSignIn' | 'app'> & {
  forSignIn: number;
  appClientId: string | null;
  appMakerKeyId: string | null;
};

/** Rows that one call removes at most, of those that expired and of those that are too many. */
const maxRemoved = 100;

/** Creates the store of keys in an SQLite file. */
export function createSqliteKeyStore(database: SqliteDatabase): KeyStore {
  const insert = database.prepare(
    `INSERT INTO keys (team_id, key_id, team_slug, member_id, member_handle, tier, secret_hash, created_at,
       expires_at, revoked_at, last_used_at, access, item_writes_per_minute, for_sign_in, app_client_id,
       app_maker_key_id, proposes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const selectById = database.prepare(
    `SELECT ${columns}, secret_hash AS secretHash FROM keys WHERE key_id = ?`,
  );
  const selectPage = database.prepare(
    `SELECT ${columns} FROM keys WHERE team_id = ? AND (created_at, key_id) > (?, ?)
     ORDER BY created_at, key_id LIMIT ?`,
  );
  const selectPageOf = (column: string) =>
    database.prepare(
      `SELECT ${columns} FROM keys WHERE team_id = ? AND ${column} = ? AND (created_at, key_id) > (?, ?)
       ORDER BY created_at, key_id LIMIT ?`,
    );
  const selectPageOfMember = selectPageOf('member_id');
  const selectPageOfMaker = selectPageOf('app_maker_key_id');
  const countOf = (column: string, which: string) =>
    database.prepare(
      `SELECT count(*) AS valid FROM keys WHERE team_id = ? AND ${column} = ? AND ${which}
         AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
    );
  const countOfMember = countOf('member_id', 'for_sign_in = 0 AND app_maker_key_id IS NULL');
  const countAppsOfMember = countOf('member_id', 'app_maker_key_id IS NOT NULL');
  const countAppsOfMaker = countOf('app_maker_key_id', 'true');
  const setRevoked = database.prepare(
    `UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE team_id = ? AND key_id = ? RETURNING ${columns}`,
  );
  const setRevokedOfMember = database.prepare(
    'UPDATE keys SET revoked_at = ? WHERE team_id = ? AND member_handle = ? AND revoked_at IS NULL',
  );
  const setAppsRevoked = (column: string) =>
    database.prepare(
      `UPDATE keys SET revoked_at = ? WHERE team_id = ? AND ${column} = ? AND app_maker_key_id IS NOT NULL
         AND revoked_at IS NULL RETURNING ${columns}`,
    );
  const setAppRevoked = setAppsRevoked('key_id');
  const setRevokedOfMaker = setAppsRevoked('app_maker_key_id');
  const setExpiry = database.prepare(
    `UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1)
     WHERE team_id = ?2 AND key_id = ?3 AND revoked_at IS NULL RETURNING ${columns}`,
  );
  const setEnd = database.prepare(
    `UPDATE keys SET expires_at = ? WHERE team_id = ? AND key_id = ? AND app_client_id IS NOT NULL
       AND revoked_at IS NULL RETURNING ${columns}`,
  );
  const deleteSignInKeys = (which: string) =>
    database.prepare(
      `DELETE FROM keys WHERE key_id IN (
         SELECT key_id FROM keys WHERE team_id = ? AND member_id = ? AND for_sign_in = 1 ${which})`,
    );
  const deleteExpired = deleteSignInKeys(`AND expires_at <= ? LIMIT ${maxRemoved}`);
  const deleteOldest = deleteSignInKeys(`ORDER BY created_at DESC, key_id DESC LIMIT ${maxRemoved} OFFSET ?`);
  const deleteEndedApps = database.prepare(
    `DELETE FROM keys WHERE key_id IN (
       SELECT key_id FROM keys WHERE team_id = ? AND member_id = ? AND app_maker_key_id IS NOT NULL
         AND (expires_at <= ? OR revoked_at IS NOT NULL) LIMIT ${maxRemoved})`,
  );
  const setLastUsed = database.prepare(
    `UPDATE keys SET last_used_at = ?
     WHERE team_id = ? AND key_id = ? AND (last_used_at IS NULL OR last_used_at <= ?)`,
  );

  return {
    async create(teamId, { key, secretHash }) {
      const { keyId, teamSlug, memberId, memberHandle, tier, access, itemWritesPerMinute, isForSignIn } = key;
      const { createdAt, expiresAt, revokedAt, lastUsedAt } = key;
      const { changes } = await database.write(() =>
        insert.run(
          teamId,
          keyId,
          teamSlug,
          memberId,
          memberHandle,
          tier,
          secretHash,
          createdAt,
          expiresAt,
          revokedAt,
          lastUsedAt,
          storedAccess(access),
          itemWritesPerMinute,
          isForSignIn ? 1 : 0,
          key.app?.clientId ?? null,
          key.app?.makerKeyId ?? null,
          access === 'propose' ? 1 : null,
        ),
      );
      if (changes === 0) throw new AppError('already_exists', 'There is a key with this id already.');
    },

    async findById(keyId) {
      const row = selectById.get(keyId) as (KeyRow & Pick<StoredKey, 'secretHash'>) | undefined;
      if (row === undefined) return undefined;
      const { secretHash, ...key } = row;
      return { key: keyFrom(key), secretHash };
    },

    async list(teamId, after, limit, of) {
      const from = [after.createdAt, after.keyId, limit];
      const rowsOf = (some: KeysOf) =>
        'memberId' in some
          ? selectPageOfMember.all(teamId, some.memberId, ...from)
          : selectPageOfMaker.all(teamId, some.makerKeyId, ...from);
      const rows = of === undefined ? selectPage.all(teamId, ...from) : rowsOf(of);
      return (rows as unknown as KeyRow[]).map(keyFrom);
    },

    async countValid(teamId, memberId, at) {
      return Number(countOfMember.get(teamId, memberId, at)?.valid);
    },

    async countApps(teamId, of, at) {
      const row =
        'memberId' in of
          ? countAppsOfMember.get(teamId, of.memberId, at)
          : countAppsOfMaker.get(teamId, of.makerKeyId, at);
      return Number(row?.valid);
    },

    async revoke(teamId, keyId, at) {
      const row = await database.writeWithReserve(
        () => setRevoked.get(at, teamId, keyId) as KeyRow | undefined,
      );
      return row && keyFrom(row);
    },

    async revokeOfMember(teamId, memberHandle, at) {
      const { changes } = await database.writeWithReserve(() =>
        setRevokedOfMember.run(at, teamId, memberHandle),
      );
      return Number(changes);
    },

    async revokeApps(teamId, of, at) {
      const rows = await database.writeWithReserve(() =>
        'keyId' in of
          ? setAppRevoked.all(at, teamId, of.keyId)
          : setRevokedOfMaker.all(at, teamId, of.makerKeyId),
      );
      return (rows as unknown as KeyRow[]).map(keyFrom);
    },

    async removeEndedApps(teamId, memberId, at) {
      await database.write(() => deleteEndedApps.run(teamId, memberId, at));
    },

    async removeSignInKeys(teamId, memberId, at, maxOfMember) {
      await database.write(() => {
        deleteExpired.run(teamId, memberId, at);
        deleteOldest.run(teamId, memberId, maxOfMember);
      });
    },

    async expire(teamId, keyId, at) {
      const row = await database.write(() => setExpiry.get(at, teamId, keyId) as KeyRow | undefined);
      return row && keyFrom(row);
    },

    async setEndOfApp(teamId, keyId, at) {
      const row = await database.write(() => setEnd.get(at, teamId, keyId) as KeyRow | undefined);
      return row && keyFrom(row);
    },

    async recordUse(teamId, keyId, at, intervalMs) {
      await database.write(() => setLastUsed.run(at, teamId, keyId, at - intervalMs));
    },
  };
}

function keyFrom({ forSignIn, appClientId: clientId, appMakerKeyId: makerKeyId, ...key }: KeyRow): Key {
  const isApp = clientId !== null && makerKeyId !== null;
  return { ...key, isForSignIn: forSignIn === 1, ...(isApp && { app: { clientId, makerKeyId } }) };
}
