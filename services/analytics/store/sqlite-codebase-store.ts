import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { CodebaseStore, StoredCodebase } from '../domain/codebases.ts';

/** The tables and indexes that `createSqliteCodebaseStore` uses. */
export const sqliteCodebaseSchema = `
  CREATE TABLE IF NOT EXISTS codebases (
    codebase_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    slug TEXT NOT NULL,
    full_name TEXT NOT NULL,
    provider TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (team_id, slug)
  ) STRICT;`;

/** Creates the store of codebases in an SQLite file. */
export function createSqliteCodebaseStore(database: SqliteDatabase): CodebaseStore {
  const upsert = database.prepare(
    `INSERT INTO codebases (team_id, codebase_id, slug, full_name, provider, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, slug) DO UPDATE SET full_name = excluded.full_name, provider = excluded.provider,
       updated_at = excluded.updated_at
     RETURNING codebase_id AS codebaseId`,
  );
  const select = database.prepare(
    `SELECT codebase_id AS codebaseId, slug, full_name AS fullName, provider FROM codebases
     WHERE team_id = ? AND slug = ?`,
  );
  // No team is counted beyond what it may have.
  const countOfTeam = database.prepare(
    'SELECT count(*) AS rows FROM (SELECT 1 FROM codebases WHERE team_id = ? LIMIT ?)',
  );

  const selectPage = database.prepare(
    `SELECT codebase_id AS codebaseId, slug, full_name AS fullName, provider FROM codebases
     WHERE team_id = ? AND slug > ? ORDER BY slug LIMIT ?`,
  );

  return {
    put: (teamId, { codebaseId, slug, fullName, provider }, { at, maxOfTeam }) =>
      database.write(() => {
        const isNew = select.get(teamId, slug) === undefined;
        if (isNew && countOfTeam.get(teamId, maxOfTeam)?.rows === maxOfTeam) return undefined;
        const row = upsert.get(teamId, codebaseId, slug, fullName, provider, at, at);
        return (row as Pick<StoredCodebase, 'codebaseId'>).codebaseId;
      }),

    async list(teamId, afterSlug, limit) {
      return selectPage.all(teamId, afterSlug, limit) as unknown as StoredCodebase[];
    },

    async find(teamId, slug) {
      return select.get(teamId, slug) as StoredCodebase | undefined;
    },
  };
}
