import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Team, TeamStore } from '../domain/teams.ts';

/** The tables and indexes that `createSqliteTeamStore` uses. */
export const sqliteTeamSchema = `
  CREATE TABLE IF NOT EXISTS teams (
    team_id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;`;

const columns = 'team_id AS teamId, slug, name, created_at AS createdAt';

/** Creates the store of teams in an SQLite file. */
export function createSqliteTeamStore(database: SqliteDatabase): TeamStore {
  const insert = database.prepare(
    'INSERT INTO teams (team_id, slug, name, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectBySlug = database.prepare(`SELECT ${columns} FROM teams WHERE slug = ?`);
  const selectPage = database.prepare(`SELECT ${columns} FROM teams WHERE slug > ? ORDER BY slug LIMIT ?`);

  return {
    async create({ teamId, slug, name, createdAt }) {
      const { changes } = await database.write(() => insert.run(teamId, slug, name, createdAt));
      if (changes === 0) throw new AppError('already_exists', 'There is a team with this slug already.');
    },

    async findBySlug(slug) {
      return selectBySlug.get(slug) as Team | undefined;
    },

    async list(afterSlug, limit) {
      return selectPage.all(afterSlug, limit) as unknown as Team[];
    },
  };
}
