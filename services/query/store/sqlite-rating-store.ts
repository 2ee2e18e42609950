import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Rating, RatingStore } from '../domain/ratings/ratings.ts';

/** The table and index that `createSqliteRatingStore` uses. */
export const sqliteRatingSchema = `
  CREATE TABLE IF NOT EXISTS ratings (
    team_id TEXT NOT NULL,
    rating_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    member_handle TEXT NOT NULL,
    tier TEXT NOT NULL,
    question TEXT NOT NULL,
    verdict TEXT NOT NULL,
    note TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (team_id, rating_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS ratings_by_age ON ratings (team_id, at, rating_id);`;

/** Makes the store of ratings in an SQLite file. */
export function createSqliteRatingStore(database: SqliteDatabase): RatingStore {
  const upsert = database.prepare(
    `INSERT INTO ratings (team_id, rating_id, member_id, member_handle, tier, question, verdict, note, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, rating_id) DO UPDATE SET member_handle = excluded.member_handle, tier = excluded.tier,
       verdict = excluded.verdict, note = excluded.note, at = excluded.at`,
  );
  const removeBefore = database.prepare('DELETE FROM ratings WHERE team_id = ? AND at < ?');
  const removeOldest = database.prepare(
    `DELETE FROM ratings WHERE team_id = ?1 AND rating_id IN (
       SELECT rating_id FROM ratings WHERE team_id = ?1 AND (?2 IS NULL OR member_id = ?2)
       ORDER BY at DESC, rating_id DESC LIMIT -1 OFFSET ?3)`,
  );
  const select = database.prepare(
    `SELECT rating_id AS ratingId, member_id AS memberId, member_handle AS memberHandle, tier, question, verdict, note, at
     FROM ratings WHERE team_id = ? AND at >= ? AND (at, rating_id) < (?, ?)
     ORDER BY at DESC, rating_id DESC LIMIT ?`,
  );
  const remove = database.prepare('DELETE FROM ratings WHERE team_id = ? AND rating_id = ?');
  const count = database.prepare(
    'SELECT count(*) AS ratings FROM ratings WHERE team_id = ? AND member_handle = ?',
  );
  const removeOfMember = database.prepare('DELETE FROM ratings WHERE team_id = ? AND member_handle = ?');

  return {
    async put(teamId, rating, { maxOfMember, maxOfTeam, since }) {
      const { ratingId, memberId, memberHandle, tier, question, verdict, note, at } = rating;
      await database.write(() => {
        upsert.run(teamId, ratingId, memberId, memberHandle, tier, question, verdict, note, at);
        removeBefore.run(teamId, since);
        removeOldest.run(teamId, memberId, maxOfMember);
        removeOldest.run(teamId, null, maxOfTeam);
      });
    },

    async list(teamId, { since, after, limit }) {
      const { at, ratingId } = after ?? { at: Number.MAX_SAFE_INTEGER, ratingId: '' };
      return select.all(teamId, since, at, ratingId, limit) as unknown as Rating[];
    },

    async remove(teamId, ratingIds) {
      await database.writeWithReserve(() => {
        for (const ratingId of ratingIds) remove.run(teamId, ratingId);
      }, 'part');
    },

    async countOfMember(teamId, memberHandle) {
      return count.get(teamId, memberHandle)?.ratings as number;
    },

    async eraseMember(teamId, memberHandle) {
      await database.writeWithReserve(() => removeOfMember.run(teamId, memberHandle));
      await database.scrub();
    },
  };
}
