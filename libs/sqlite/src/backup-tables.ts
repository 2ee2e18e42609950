import type {
  BackupRow,
  BackupSection,
  BackupTable,
  Fields,
  FieldValue,
  RestoreRecord,
  RestoreRecords,
} from '@teammemory/backup/backup-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Rows, and characters or bytes of their values, that are read or written before other work gets its turn. */
const rowsPerPage = 500;
const sizePerPage = 2 ** 20;

/** Statements that `sqliteRestoreRecords` needs to have run. */
export const sqliteRestoreSchema = `
  CREATE TABLE IF NOT EXISTS restores (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    restore_id TEXT NOT NULL,
    finished INTEGER NOT NULL,
    active_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`;

/** Reads and writes a table for backup and restore. */
export function sqliteBackupSection(
  database: SqliteDatabase,
  { name, view = name, fields, key }: BackupTable,
): BackupSection {
  const columns = Object.keys(fields);
  const order = key.join(', ');
  const marks = (list: readonly string[]) => list.map(() => '?').join(', ');
  const first = database.prepare(`SELECT ${columns.join(', ')} FROM ${view} ORDER BY ${order} LIMIT ?`);
  const next = database.prepare(
    `SELECT ${columns.join(', ')} FROM ${view} WHERE (${order}) > (${marks(key)}) ORDER BY ${order} LIMIT ?`,
  );
  const insert = () =>
    database.prepare(`INSERT OR REPLACE INTO ${view} (${columns.join(', ')}) VALUES (${marks(columns)})`);
  return {
    name,
    fields,
    async *read(signal) {
      for (let after: BackupRow | undefined; ; ) {
        signal.throwIfAborted();
        const found =
          after === undefined
            ? first.iterate(rowsPerPage)
            : next.iterate(...key.map((column) => after?.[column] as string), rowsPerPage);
        const rows = pageOf(fields, found as Iterable<Record<string, unknown>>);
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async restore(rows) {
      for (let start = 0; start < rows.length; start += rowsPerPage) {
        const page = rows.slice(start, start + rowsPerPage);
        await database.write(() => {
          for (const row of page)
            insert().run(...columns.map((column) => toColumn(row[column] ?? null) as string));
        });
      }
    },
    isEmpty: async () => database.prepare(`SELECT 1 FROM ${view} LIMIT 1`).get() === undefined,
    clear: async () => void (await database.write(() => database.prepare(`DELETE FROM ${view}`).run())),
  };
}

/** Keeps the last restore in the file. */
export function sqliteRestoreRecords(database: SqliteDatabase): RestoreRecords {
  const select = database.prepare('SELECT restore_id, finished, active_at FROM restores');
  const write = database.prepare(
    'INSERT OR REPLACE INTO restores (id, restore_id, finished, active_at) VALUES (1, ?, ?, ?)',
  );
  const stored = (): RestoreRecord | undefined => {
    const row = select.get() as { restore_id: string; finished: number; active_at: number } | undefined;
    return row && { restoreId: row.restore_id, isFinished: row.finished === 1, activeAt: row.active_at };
  };
  return {
    read: async () => stored(),
    replace: (expected, { restoreId, isFinished, activeAt }) =>
      database.write(() => {
        if (!isSame(stored(), expected)) return false;
        write.run(restoreId, isFinished ? 1 : 0, activeAt);
        return true;
      }),
  };
}

function isSame(one: RestoreRecord | undefined, other: RestoreRecord | undefined): boolean {
  return (
    one?.restoreId === other?.restoreId &&
    one?.isFinished === other?.isFinished &&
    one?.activeAt === other?.activeAt
  );
}

function pageOf(fields: Fields, found: Iterable<Record<string, unknown>>): BackupRow[] {
  const rows: BackupRow[] = [];
  let size = 0;
  for (const row of found) {
    const values = Object.entries(fields).map(([name, type]): [string, FieldValue] => {
      const value = row[name] as string | number | null | Uint8Array;
      if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
      if (type === 'flag') return [name, value === 1];
      if (type === 'words') return [name, value === '' ? [] : String(value).split(' ')];
      return [name, value];
    });
    rows.push(Object.fromEntries(values));
    if (size >= sizePerPage) break;
  }
  return rows;
}

function toColumn(value: FieldValue): string | number | null | Uint8Array {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return value.join(' ');
  return value as string | number | null | Uint8Array;
}
