import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Session, SessionStore } from '../domain/sessions.ts';

/** The tables and indexes that `createSqliteSessionStore` uses. */
export const sqliteSessionSchema = `
  CREATE TABLE IF NOT EXISTS sessions (
    session_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    tier TEXT NOT NULL CHECK (tier IN ('team', 'external')),
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sessions_of_member ON sessions (team_id, member_id, tier, created_at, session_id);
  CREATE INDEX IF NOT EXISTS sessions_of_key ON sessions (team_id, key_id, created_at, session_id);
  CREATE INDEX IF NOT EXISTS sessions_by_expiry ON sessions (expires_at);`;

/** Rows that one new session clears away: it keeps up with any rate of signing in, and stays a short write. */
const maxExpiredRemoved = 100;

/** Creates the store of sessions in an SQLite file. */
export function createSqliteSessionStore(database: SqliteDatabase): SessionStore {
  const insert = database.prepare(
    `INSERT INTO sessions (team_id, session_id, key_id, member_id, tier, secret_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const deleteOldest = database.prepare(
    `DELETE FROM sessions WHERE session_id IN (
       SELECT session_id FROM sessions WHERE team_id = ? AND key_id = ?
       ORDER BY created_at DESC, session_id DESC LIMIT -1 OFFSET ?)`,
  );
  const deleteExpired = database.prepare(
    `DELETE FROM sessions WHERE session_id IN (
       SELECT session_id FROM sessions WHERE expires_at <= ? LIMIT ${maxExpiredRemoved})`,
  );
  const selectById = database.prepare(
    `SELECT session_id AS sessionId, team_id AS teamId, key_id AS keyId, member_id AS memberId, tier,
       created_at AS createdAt, expires_at AS expiresAt, secret_hash AS secretHash
     FROM sessions WHERE session_id = ?`,
  );
  const deleteOne = database.prepare('DELETE FROM sessions WHERE team_id = ? AND session_id = ?');
  const deleteOfMember = database.prepare(
    'DELETE FROM sessions WHERE team_id = ? AND member_id = ? AND tier = ? RETURNING expires_at AS expiresAt',
  );

  return {
    async create(teamId, { session, secretHash }, maxOfKey) {
      const { sessionId, keyId, memberId, tier, createdAt, expiresAt } = session;
      const isNew = await database.write(() => {
        const { changes } = insert.run(
          teamId,
          sessionId,
          keyId,
          memberId,
          tier,
          secretHash,
          createdAt,
          expiresAt,
        );
        if (changes === 0) return false;
        deleteExpired.run(createdAt);
        deleteOldest.run(teamId, keyId, maxOfKey);
        return true;
      });
      if (!isNew) throw new AppError('already_exists', 'There is a session with this id already.');
    },

    async findById(sessionId) {
      const row = selectById.get(sessionId) as (Session & { secretHash: string }) | undefined;
      if (row === undefined) return undefined;
      const { secretHash, ...session } = row;
      return { session, secretHash };
    },

    async remove(teamId, sessionId) {
      await database.writeWithReserve(() => deleteOne.run(teamId, sessionId));
    },

    async removeOfMember(teamId, memberId, tiers, at) {
      const removed = await database.writeWithReserve(
        () => tiers.flatMap((tier) => deleteOfMember.all(teamId, memberId, tier)) as { expiresAt: number }[],
      );
      return removed.filter(({ expiresAt }) => expiresAt > at).length;
    },
  };
}
