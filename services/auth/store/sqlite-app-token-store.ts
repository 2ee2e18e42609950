import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { AppToken, AppTokenStore, StoredAppToken } from '../domain/apps.ts';

/** The tables and indexes that `createSqliteAppTokenStore` uses. */
export const sqliteAppTokenSchema = `
  CREATE TABLE IF NOT EXISTS app_tokens (
    token_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('access', 'code', 'refresh')),
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    resource TEXT NOT NULL,
    redirect_uri TEXT,
    code_challenge TEXT,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    app_ends_at INTEGER,
    previous_hash TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS app_tokens_of_key ON app_tokens (team_id, key_id, kind, created_at, token_id);
  CREATE INDEX IF NOT EXISTS app_tokens_by_expiry ON app_tokens (expires_at);`;

/** Columns that tables of earlier versions lack. */
export const sqliteAppTokenColumns = ['app_ends_at INTEGER', 'previous_hash TEXT'];

/** Rows that one new token clears away: it keeps up with any rate of new ones, and stays a short write. */
const maxExpiredRemoved = 100;

/** Creates the store of apps' tokens in an SQLite file. */
export function createSqliteAppTokenStore(database: SqliteDatabase): AppTokenStore {
  const insert = database.prepare(
    `INSERT INTO app_tokens (team_id, token_id, kind, key_id, resource, redirect_uri, code_challenge, secret_hash,
       created_at, expires_at, used_at, app_ends_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const deleteOldest = database.prepare(
    `DELETE FROM app_tokens WHERE token_id IN (
       SELECT token_id FROM app_tokens WHERE team_id = ? AND key_id = ? AND kind = ?
       ORDER BY created_at DESC, token_id DESC LIMIT -1 OFFSET ?)`,
  );
  const deleteExpired = database.prepare(
    `DELETE FROM app_tokens WHERE token_id IN (
       SELECT token_id FROM app_tokens WHERE expires_at <= ? LIMIT ${maxExpiredRemoved})`,
  );
  const selectById = database.prepare(
    `SELECT token_id AS tokenId, kind, team_id AS teamId, key_id AS keyId, resource, redirect_uri AS redirectUri,
       code_challenge AS codeChallenge, created_at AS createdAt, expires_at AS expiresAt, used_at AS usedAt,
       app_ends_at AS appEndsAt, secret_hash AS secretHash, previous_hash AS previousHash
     FROM app_tokens WHERE token_id = ?`,
  );
  const selectUse = database.prepare(
    'SELECT used_at AS usedAt FROM app_tokens WHERE team_id = ? AND token_id = ?',
  );
  const setUsed = database.prepare(
    `UPDATE app_tokens SET used_at = ?, expires_at = ? WHERE team_id = ? AND token_id = ? AND used_at IS NULL`,
  );
  const setSecret = database.prepare(
    `UPDATE app_tokens SET secret_hash = ?, previous_hash = ?, used_at = ?
     WHERE team_id = ? AND token_id = ? AND secret_hash = ?`,
  );

  return {
    async create(teamId, { token, secretHash }, maxOfKind) {
      const { tokenId, kind, keyId, resource, redirectUri, codeChallenge } = token;
      const { createdAt, expiresAt, usedAt, appEndsAt } = token;
      const isNew = await database.write(() => {
        const { changes } = insert.run(
          ...[teamId, tokenId, kind, keyId, resource, redirectUri, codeChallenge, secretHash],
          ...[createdAt, expiresAt, usedAt, appEndsAt],
        );
        if (changes === 0) return false;
        deleteExpired.run(createdAt);
        deleteOldest.run(teamId, keyId, kind, maxOfKind);
        return true;
      });
      if (!isNew) throw new AppError('already_exists', 'There is a token with this id already.');
    },

    async findById(tokenId) {
      const row = selectById.get(tokenId) as (AppToken & Omit<StoredAppToken, 'token'>) | undefined;
      if (row === undefined) return undefined;
      const { secretHash, previousHash, ...token } = row;
      return { token, secretHash, previousHash };
    },

    async use(teamId, tokenId, { at, keptUntil }) {
      return database.write(() => {
        const row = selectUse.get(teamId, tokenId) as Pick<AppToken, 'usedAt'> | undefined;
        setUsed.run(at, keptUntil, teamId, tokenId);
        return row?.usedAt;
      });
    },

    async replaceSecret(teamId, { tokenId, secretHash }, next) {
      const { changes } = await database.write(() =>
        setSecret.run(next.secretHash, next.previousHash, next.usedAt, teamId, tokenId, secretHash),
      );
      return changes > 0;
    },
  };
}
