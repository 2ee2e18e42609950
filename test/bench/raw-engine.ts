import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Item } from './requests.ts';

/** SQLite without any service around it. */
export interface RawEngine {
  /** Writes the rows durably, one commit for each group, and returns the milliseconds it took. */
  write(items: readonly Item[], rowsPerCommit: number): number;
  close(): void;
}

/** Opens a new file with the tables, indexes and pragmas of the file that a running service writes. */
export function openRawEngine(directory: string, contentFile: string): RawEngine {
  const model = new DatabaseSync(contentFile, { readOnly: true });
  const schema = model.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  model.close();
  const database = new DatabaseSync(join(directory, 'raw.db'));
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;');
  for (const { sql } of schema) database.exec(String(sql));
  const upsert = database.prepare(
    `INSERT INTO items (team_id, row_key, seq, updated_at, tier, deleted, checksum, revision, external_at, json)
     VALUES ('team', ?, ?, ?, ?, 0, ?, 1, NULL, ?)
     ON CONFLICT (team_id, row_key) DO UPDATE SET seq = excluded.seq, json = excluded.json`,
  );
  let seq = 0;
  let updatedAtMs = Date.now();
  return {
    write(items, rowsPerCommit) {
      const rows = items.map((item) => {
        updatedAtMs += 1;
        const more = {
          title: item.row_key,
          updated_at: new Date(updatedAtMs).toISOString(),
          updated_by: 'ada',
        };
        return { ...item, seq: ++seq, updatedAtMs, json: Buffer.from(JSON.stringify({ ...item, ...more })) };
      });
      const started = performance.now();
      for (let start = 0; start < rows.length; start += rowsPerCommit) {
        database.exec('BEGIN IMMEDIATE');
        for (const row of rows.slice(start, start + rowsPerCommit)) {
          upsert.run(row.row_key, row.seq, row.updatedAtMs, row.tier, row.checksum, row.json);
        }
        database.exec('COMMIT');
      }
      return performance.now() - started;
    },
    close: () => database.close(),
  };
}
