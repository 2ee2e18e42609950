import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Refusal, RefusalStore } from '../domain/refusals.ts';

/** The tables and indexes that `createSqliteRefusalStore` uses. */
export const sqliteRefusalSchema = `
  CREATE TABLE IF NOT EXISTS refusals (
    refusal_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    member_handle TEXT NOT NULL,
    key_id TEXT NOT NULL,
    request TEXT NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    row_key TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS refusals_by_age ON refusals (team_id, at, refusal_id);`;

/** Creates the store of refusals in an SQLite file. */
export function createSqliteRefusalStore(database: SqliteDatabase): RefusalStore {
  const insert = database.prepare(
    `INSERT INTO refusals (team_id, refusal_id, member_id, member_handle, key_id, request, code, detail, row_key, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteOldest = database.prepare(
    `DELETE FROM refusals WHERE refusal_id IN (
       SELECT refusal_id FROM refusals WHERE team_id = ? ORDER BY at DESC, refusal_id DESC LIMIT -1 OFFSET ?)`,
  );
  const select = database.prepare(
    `SELECT refusal_id AS refusalId, member_id AS memberId, member_handle AS memberHandle, key_id AS keyId, request,
       code, detail, row_key AS rowKey, at
     FROM refusals WHERE team_id = ?1 AND (?2 IS NULL OR member_id = ?2)
     ORDER BY at DESC, refusal_id DESC LIMIT ?3`,
  );

  return {
    async add(teamId, refusals, maxOfTeam) {
      await database.write(() => {
        for (const {
          refusalId,
          memberId,
          memberHandle,
          keyId,
          request,
          code,
          detail,
          rowKey,
          at,
        } of refusals) {
          insert.run(teamId, refusalId, memberId, memberHandle, keyId, request, code, detail, rowKey, at);
        }
        deleteOldest.run(teamId, maxOfTeam);
      });
    },

    async list(teamId, memberId, limit) {
      return select.all(teamId, memberId ?? null, limit) as unknown as Refusal[];
    },
  };
}
