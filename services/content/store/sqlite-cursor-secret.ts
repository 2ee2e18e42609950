import { randomBytes } from 'node:crypto';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { type CursorSecret, cursorKeyBytes } from '../domain/feed/cursor.ts';

/** The table of the one secret; 0.1 reads `earlier_until`, which is 0. Runs on every start. */
export const sqliteCursorSecretSchema = `
  CREATE TABLE IF NOT EXISTS cursor_secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL,
    earlier_until INTEGER NOT NULL
  ) STRICT;
`;

/** Returns what cursors are sealed with, and makes it in a new database. */
export async function sqliteCursorSecret(database: SqliteDatabase): Promise<CursorSecret> {
  const one = database.prepare('SELECT key FROM cursor_secret');
  const insert = database.prepare(
    'INSERT OR IGNORE INTO cursor_secret (id, key, earlier_until) VALUES (1, ?, 0)',
  );
  if (one.get() === undefined) await database.write(() => void insert.run(randomBytes(cursorKeyBytes)));
  return one.get() as { key: Uint8Array };
}
