import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { CreatedProject, NamedProjects, ProjectStore, ProjectUse } from '../domain/projects/projects.ts';

/** Tables of projects. Runs on every start. The slug '' stands for an item that names no project. */
export const sqliteProjectSchema = `
  CREATE TABLE IF NOT EXISTS projects (
    team_id TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (team_id, slug)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS item_projects (
    team_id TEXT NOT NULL,
    row_key TEXT NOT NULL,
    slug TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (team_id, row_key, slug)
  ) STRICT;
  DROP INDEX IF EXISTS item_projects_slug;
  DROP INDEX IF EXISTS item_projects_naming;
  CREATE INDEX IF NOT EXISTS item_projects_uses ON item_projects (team_id, slug, row_key, seq) WHERE slug > '';
`;

/** Stores projects in SQLite. `ProjectStore` says what each method promises. */
export function createSqliteProjectStore(database: SqliteDatabase): ProjectStore {
  const known = database.prepare('SELECT 1 FROM projects WHERE team_id = ? AND slug = ?');
  // Counts no further than a team may have.
  const count = database.prepare(
    'SELECT count(*) AS projects FROM (SELECT 1 FROM projects WHERE team_id = ? LIMIT ?)',
  );
  const insert = database.prepare('INSERT INTO projects (team_id, slug, name) VALUES (?, ?, ?)');
  const rename = database.prepare('UPDATE projects SET name = ? WHERE team_id = ? AND slug = ?');
  const remove = database.prepare('DELETE FROM projects WHERE team_id = ? AND slug = ?');
  const created = database.prepare(
    'SELECT slug, name FROM projects WHERE team_id = ? AND slug > ? ORDER BY slug LIMIT ?',
  );
  const named = database.prepare(
    `SELECT DISTINCT slug FROM item_projects WHERE team_id = ? AND slug > '' AND slug > ? ORDER BY slug LIMIT ?`,
  );
  const one = database.prepare(
    "SELECT 1 FROM item_projects WHERE team_id = ? AND slug = ? AND slug > '' LIMIT 1",
  );
  const naming = database.prepare(
    `SELECT row_key FROM item_projects WHERE team_id = ? AND slug = ? AND slug > '' AND row_key > ?
     ORDER BY row_key LIMIT ?`,
  );
  // The row_key is that of the row with the highest position, as SQLite promises beside one max().
  const uses = database.prepare(
    `SELECT count(*) AS items, max(seq) AS seq, row_key FROM item_projects
     WHERE team_id = ? AND slug = ? AND slug > ''`,
  );
  const processed = database.prepare(
    'SELECT max(seq) AS seq FROM item_projects WHERE team_id = ? AND row_key = ?',
  );
  const namedBy = database.prepare(
    "SELECT 1 FROM item_projects WHERE team_id = ? AND row_key = ? AND slug > '' LIMIT 1",
  );
  const forget = database.prepare('DELETE FROM item_projects WHERE team_id = ? AND row_key = ?');
  const name = database.prepare(
    'INSERT INTO item_projects (team_id, row_key, slug, seq) VALUES (?, ?, ?, ?)',
  );
  return {
    create: (teamId, { slug, name: text }, maxProjects) =>
      database.write(() => {
        if (known.get(teamId, slug) !== undefined) return 'known';
        if (count.get(teamId, maxProjects)?.projects === maxProjects) return 'full';
        insert.run(teamId, slug, text);
        return 'created';
      }),
    rename: (teamId, { slug, name: text }) =>
      database.write(() => rename.run(text, teamId, slug).changes === 1),
    remove: (teamId, slug) => database.writeWithReserve(() => remove.run(teamId, slug).changes === 1, 'part'),
    async created(teamId, afterSlug, limit) {
      return created
        .all(teamId, afterSlug, limit)
        .map((row): CreatedProject => ({ slug: row.slug as string, name: row.name as string }));
    },
    async named(teamId, afterSlug, limit) {
      return named.all(teamId, afterSlug, limit).map((row) => row.slug as string);
    },
    async isNamed(teamId, slug) {
      return one.get(teamId, slug) !== undefined;
    },
    async naming(teamId, slug, afterRowKey, limit) {
      return naming.all(teamId, slug, afterRowKey, limit).map((row) => row.row_key as string);
    },
    async uses(teamId, slugs) {
      const found = new Map<string, ProjectUse>();
      for (const slug of slugs) {
        const { items, row_key } = uses.get(teamId, slug) as { items: number; row_key: string | null };
        if (row_key !== null) found.set(slug, { items, newestRowKey: row_key });
      }
      return found;
    },
    async setNamed(teamId, items) {
      const isNaming = ({ rowKey, slugs }: NamedProjects) =>
        slugs.length > 0 || namedBy.get(teamId, rowKey) !== undefined;
      const isChanged = items.some(isNaming);
      const written = database.writeWithReserve(() => {
        for (const { rowKey, seq, slugs } of items) {
          const known = processed.get(teamId, rowKey)?.seq as number | null;
          if (known !== null && known >= seq) continue;
          forget.run(teamId, rowKey);
          for (const slug of slugs.length === 0 ? [''] : slugs) name.run(teamId, rowKey, slug, seq);
        }
      });
      if (isChanged) await written;
      // Positions alone, for which no reader has to wait: they come before those that are stored of progress.
      else written.catch(() => undefined);
      return isChanged;
    },
  };
}
