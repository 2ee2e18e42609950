import { randomBytes, randomUUID } from 'node:crypto';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { type CursorSecret, cursorKeyBytes } from '../domain/feed/cursor.ts';

/** The tables of what is made once for the data; 0.1 reads `earlier_until`, which is 0. Runs on every start. */
export const sqliteMadeOnceSchema = `
  CREATE TABLE IF NOT EXISTS cursor_secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL,
    earlier_until INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS identity (id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL) STRICT;
`;

/** Returns the identity of the data, and makes it in a file that has none. It is no part of a backup: restored data is other data. */
export async function sqliteIdentity(database: SqliteDatabase): Promise<string> {
  const one = database.prepare('SELECT uuid FROM identity');
  const insert = database.prepare('INSERT OR IGNORE INTO identity (id, uuid) VALUES (1, ?)');
  if (one.get() === undefined) await database.write(() => void insert.run(randomUUID()));
  return (one.get() as { uuid: string }).uuid;
}

/** Returns what cursors are sealed with, and makes it in a new database. */
export async function sqliteCursorSecret(database: SqliteDatabase): Promise<CursorSecret> {
  const one = database.prepare('SELECT key FROM cursor_secret');
  const insert = database.prepare(
    'INSERT OR IGNORE INTO cursor_secret (id, key, earlier_until) VALUES (1, ?, 0)',
  );
  if (one.get() === undefined) await database.write(() => void insert.run(randomBytes(cursorKeyBytes)));
  return one.get() as { key: Uint8Array };
}
