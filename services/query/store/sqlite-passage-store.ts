import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { PassageStore, StoredItem } from '../domain/passages/passage-store.ts';

/** The tables of passages, in a file of their own: they can be made again from the feeds. */
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
    seq INTEGER NOT NULL,
    data_id TEXT
  ) STRICT;`;

/**
 * Removes these tables from the file in which earlier versions kept them. Rows without a cursor are made again by such a
 * version; a cursor without rows would hide notes from it.
 */
export const removeEarlierPassages = 'DROP TABLE IF EXISTS cursors; DROP TABLE IF EXISTS passages;';

/** Makes the store of passages in an SQLite file that has no rows of another `passageForm`. */
export function createSqlitePassageStore(database: SqliteDatabase): PassageStore {
  const selectCursor = database.prepare('SELECT seq FROM cursors WHERE team_id = ?');
  const moveCursor = database.prepare(
    `INSERT INTO cursors (team_id, seq) VALUES (?, ?)
     ON CONFLICT (team_id) DO UPDATE SET seq = max(seq, excluded.seq)`,
  );
  const replace = database.prepare(
    `INSERT INTO passages (team_id, row_key, seq, tier, passages_json, writer_id) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, row_key) DO UPDATE
     SET seq = excluded.seq, tier = excluded.tier, passages_json = excluded.passages_json,
       writer_id = excluded.writer_id
     WHERE excluded.seq > seq`,
  );
  const selectTeams = database.prepare(
    'SELECT team_id FROM cursors WHERE team_id > ? ORDER BY team_id LIMIT ?',
  );
  const selectClaim = database.prepare('SELECT data_id AS dataId FROM cursors WHERE team_id = ?');
  const removeRows = database.prepare('DELETE FROM passages WHERE team_id = ?');
  const setClaim = database.prepare(
    `INSERT INTO cursors (team_id, seq, data_id) VALUES (?1, 0, ?2)
     ON CONFLICT (team_id) DO UPDATE SET data_id = excluded.data_id`,
  );
  const removeCursor = database.prepare('DELETE FROM cursors WHERE team_id = ?');
  const selectChanges = database.prepare(
    `SELECT row_key AS rowKey, seq, tier, passages_json AS json, writer_id FROM passages
     WHERE team_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const selectItem = database.prepare(
    'SELECT row_key AS rowKey, seq, tier, passages_json AS json FROM passages WHERE team_id = ? AND row_key = ?',
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
      await database.writeWithReserve(() => moveCursor.run(teamId, seq));
    },

    async teams(afterTeamId, limit) {
      const rows = selectTeams.all(afterTeamId, limit) as { team_id: string }[];
      return rows.map(({ team_id }) => team_id);
    },

    async claim(teamId, dataId, ahead) {
      const claimed = () => selectClaim.get(teamId) as { dataId: string | null } | undefined;
      // Without a write, so that questions are answered on a full disk too.
      if (ahead === undefined && claimed()?.dataId === dataId) return true;
      return database.writeWithReserve(() => {
        const canStay = ahead === undefined && (claimed()?.dataId ?? dataId) === dataId;
        if (!canStay) {
          removeRows.run(teamId);
          removeCursor.run(teamId);
        }
        setClaim.run(teamId, dataId);
        return canStay;
      });
    },

    async replaceItems(teamId, items) {
      await database.writeWithReserve(() => {
        for (const item of items) {
          replace.run(teamId, item.rowKey, item.seq, item.tier, item.json, item.writerId ?? null);
        }
      });
    },

    async changesAfter(teamId, afterSeq, page) {
      const found: StoredItem[] = [];
      let characters = 0;
      for (const row of selectChanges.iterate(teamId, afterSeq, page.rows)) {
        const { writer_id, ...item } = row as unknown as StoredItem & { writer_id: string | null };
        found.push({ ...item, ...(writer_id !== null && { writerId: writer_id }) });
        characters += item.json.length;
        if (characters >= page.characters) break;
      }
      return found;
    },

    async findItem(teamId, rowKey) {
      const row = selectItem.get(teamId, rowKey) as StoredItem | undefined;
      return row && { ...row };
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
