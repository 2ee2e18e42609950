import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { SignInLink, SignInLinkStore } from '../domain/sessions.ts';

/** The tables and indexes that `createSqliteSignInLinkStore` uses. */
export const sqliteSignInLinkSchema = `
  CREATE TABLE IF NOT EXISTS sign_in_links (
    link_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sign_in_links_of_key ON sign_in_links (team_id, key_id, created_at, link_id);
  CREATE INDEX IF NOT EXISTS sign_in_links_by_expiry ON sign_in_links (expires_at);`;

/** Rows that one new link clears away: it keeps up with any rate of new ones, and stays a short write. */
const maxExpiredRemoved = 100;

/** Creates the store of sign-in links in an SQLite file. */
export function createSqliteSignInLinkStore(database: SqliteDatabase): SignInLinkStore {
  const insert = database.prepare(
    `INSERT INTO sign_in_links (team_id, link_id, key_id, secret_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const deleteOldest = database.prepare(
    `DELETE FROM sign_in_links WHERE link_id IN (
       SELECT link_id FROM sign_in_links WHERE team_id = ? AND key_id = ?
       ORDER BY created_at DESC, link_id DESC LIMIT -1 OFFSET ?)`,
  );
  const deleteExpired = database.prepare(
    `DELETE FROM sign_in_links WHERE link_id IN (
       SELECT link_id FROM sign_in_links WHERE expires_at <= ? LIMIT ${maxExpiredRemoved})`,
  );
  const selectById = database.prepare(
    `SELECT link_id AS linkId, team_id AS teamId, key_id AS keyId, created_at AS createdAt,
       expires_at AS expiresAt, secret_hash AS secretHash
     FROM sign_in_links WHERE link_id = ?`,
  );
  const deleteOne = database.prepare('DELETE FROM sign_in_links WHERE team_id = ? AND link_id = ?');

  return {
    async create(teamId, { link, secretHash }, maxOfKey) {
      const { linkId, keyId, createdAt, expiresAt } = link;
      const isNew = await database.write(() => {
        const { changes } = insert.run(teamId, linkId, keyId, secretHash, createdAt, expiresAt);
        if (changes === 0) return false;
        deleteExpired.run(createdAt);
        deleteOldest.run(teamId, keyId, maxOfKey);
        return true;
      });
      if (!isNew) throw new AppError('already_exists', 'There is a sign-in link with this id already.');
    },

    async findById(linkId) {
      const row = selectById.get(linkId) as (SignInLink & { secretHash: string }) | undefined;
      if (row === undefined) return undefined;
      const { secretHash, ...link } = row;
      return { link, secretHash };
    },

    async take(teamId, linkId) {
      const { changes } = await database.write(() => deleteOne.run(teamId, linkId));
      return Number(changes) > 0;
    },
  };
}
