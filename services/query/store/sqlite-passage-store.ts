import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { PassageStore, StoredItem } from '../domain/passages/passage-store.ts';

/** Statements that `createSqlitePassageStore` needs to have run. */
export const sqlitePassageSchema = `
  CREATE TABLE IF NOT EXISTS passages (
    team_id TEXT NOT NULL,
    row_key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tier TEXT NOT NULL CHECK (tier IN ('team', 'external')),
    passages_json TEXT NOT NULL,
    writer_id TEXT,
    PRIMARY KEY (team_id, row_key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS passages_by_seq ON passages (team_id, seq);
  CREATE TABLE IF NOT EXISTS cursors (
    team_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) STRICT;`;

/** Columns that the table of earlier versions lacks. */
export const passageColumns = { passages: ['writer_id TEXT'] };

/** Makes the store of passages in an SQLite file. */
export function createSqlitePassageStore(database: SqliteDatabase): PassageStore {
  const selectCursor = database.prepare('SELECT seq FROM cursors WHERE team_id = ?');
  const moveCursor = database.prepare(
    `INSERT INTO cursors (team_id, seq) VALUES (?, ?)
     ON CONFLICT (team_id) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq`,
  );
  const replace = database.prepare(
    `INSERT INTO passages (team_id, row_key, seq, tier, passages_json, writer_id) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, row_key) DO UPDATE
     SET seq = excluded.seq, tier = excluded.tier, passages_json = excluded.passages_json,
       writer_id = excluded.writer_id
     WHERE excluded.seq > seq`,
  );
  const selectChanges = database.prepare(
    `SELECT row_key AS rowKey, seq, tier, passages_json AS json FROM passages
     WHERE team_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  );

  const selectWriter = database.prepare(
    'SELECT writer_id FROM passages WHERE team_id = ? AND row_key = ? AND writer_id IS NOT NULL',
  );

  return {
    async cursor(teamId) {
      const row = selectCursor.get(teamId) as { seq: number } | undefined;
      return row?.seq ?? 0;
    },

    async advanceCursor(teamId, seq) {
      await database.write(() => moveCursor.run(teamId, seq));
    },

    async replaceItems(teamId, items) {
      await database.write(() => {
        for (const item of items) {
          replace.run(teamId, item.rowKey, item.seq, item.tier, item.json, item.writerId ?? null);
        }
      });
    },

    async changesAfter(teamId, afterSeq, page) {
      const found: StoredItem[] = [];
      let characters = 0;
      for (const row of selectChanges.iterate(teamId, afterSeq, page.rows)) {
        found.push(row as unknown as StoredItem);
        characters += found.at(-1)?.json.length ?? 0;
        if (characters >= page.characters) break;
      }
      return found;
    },

    async writersOf(teamId, rowKeys) {
      const writers = new Map<string, string>();
      for (const rowKey of rowKeys) {
        const row = selectWriter.get(teamId, rowKey) as { writer_id: string } | undefined;
        if (row !== undefined) writers.set(rowKey, row.writer_id);
      }
      return writers;
    },
  };
}
