import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Release } from '../domain/disclosure.ts';
import { maxReleases, type ReleaseStore } from '../domain/disclosure.ts';
import { releaseFromJson, releasesPerRead, releaseToJson } from './stored-rows.ts';

/** The tables and indexes that `createSqliteReleaseStore` uses. */
export const sqliteReleaseSchema = `
  CREATE TABLE IF NOT EXISTS rollup_releases (
    team_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (team_id, number)
  ) STRICT;`;

/** Creates the store of releases in an SQLite file. */
export function createSqliteReleaseStore(database: SqliteDatabase): ReleaseStore {
  const select = database.prepare(
    'SELECT number, json FROM rollup_releases WHERE team_id = ? AND number > ? ORDER BY number LIMIT ?',
  );
  const newestOf = database.prepare(
    'SELECT coalesce(max(number), 0) AS newest FROM rollup_releases WHERE team_id = ?',
  );
  const insert = database.prepare('INSERT INTO rollup_releases (team_id, number, json) VALUES (?, ?, ?)');
  const forget = database.prepare('DELETE FROM rollup_releases WHERE team_id = ? AND number <= ?');

  return {
    async all(teamId) {
      const releases: Release[] = [];
      for (let newest = 0; ; ) {
        const rows = select.all(teamId, newest, releasesPerRead) as { number: number; json: string }[];
        releases.push(...rows.map(({ json }) => releaseFromJson(json)));
        newest = rows.at(-1)?.number ?? newest;
        if (rows.length < releasesPerRead) return { releases, newest };
        await setImmediate();
      }
    },

    add: (teamId, newest, release) =>
      database.write(() => {
        if (newestOf.get(teamId)?.newest !== newest) return false;
        insert.run(teamId, newest + 1, releaseToJson(release));
        forget.run(teamId, newest + 1 - maxReleases);
        return true;
      }),
  };
}
