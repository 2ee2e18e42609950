import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { SkippedText, SkippedTextStore } from '../domain/tasks/skipped-texts.ts';

/** The table of skipped texts. Runs on every start. */
export const sqliteSkippedTextSchema = `
  CREATE TABLE IF NOT EXISTS skipped_texts (
    team_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    reason TEXT NOT NULL,
    noticed_at INTEGER NOT NULL,
    PRIMARY KEY (team_id, kind, id)
  ) STRICT;
`;

const columns = 'kind, id, seq, reason, noticed_at AS noticedAtMs';

/** Stores skipped texts in SQLite. `SkippedTextStore` says what each method promises. */
export function createSqliteSkippedTextStore(database: SqliteDatabase): SkippedTextStore {
  const one = database.prepare(
    `SELECT ${columns} FROM skipped_texts WHERE team_id = ? AND kind = ? AND id = ?`,
  );
  const upsert = database.prepare(
    `INSERT INTO skipped_texts (team_id, kind, id, seq, reason, noticed_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, kind, id) DO UPDATE SET seq = excluded.seq, reason = excluded.reason,
       noticed_at = excluded.noticed_at
     WHERE seq < excluded.seq`,
  );
  const remove = database.prepare(
    'DELETE FROM skipped_texts WHERE team_id = ? AND kind = ? AND id = ? AND seq <= ?',
  );
  const many = database.prepare(
    `SELECT ${columns} FROM skipped_texts WHERE team_id = ? AND (kind, id) > (?, ?) ORDER BY kind, id LIMIT ?`,
  );
  return {
    async find(teamId, kind, ids) {
      const found = ids.map((id) => one.get(teamId, kind, id) as unknown as SkippedText | undefined);
      return new Map(found.filter((text) => text !== undefined).map((text) => [text.id, { ...text }]));
    },
    keep: (teamId, { kind, id, seq, reason, noticedAtMs }) =>
      database.writeWithReserve(() => void upsert.run(teamId, kind, id, seq, reason, noticedAtMs)),
    forget: (teamId, { kind, id, seq }) =>
      database.writeWithReserve(() => void remove.run(teamId, kind, id, seq)),
    async list(teamId, after, limit) {
      const rows = many.all(teamId, after?.kind ?? '', after?.id ?? '', limit);
      return (rows as unknown as SkippedText[]).map((row) => ({ ...row }));
    },
  };
}
