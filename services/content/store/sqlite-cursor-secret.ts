import { randomBytes } from 'node:crypto';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { type CursorSecret, cursorKeyBytes, upgradeMs } from '../domain/feed/cursor.ts';
import { feedNames } from './stored-feed.ts';

/** The table of the one secret. Runs on every start. */
export const sqliteCursorSecretSchema = `
  CREATE TABLE IF NOT EXISTS cursor_secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL,
    earlier_until INTEGER NOT NULL
  ) STRICT;
`;

/** Returns what cursors are sealed with, and makes it in a new database or one of an earlier version. */
export async function sqliteCursorSecret(database: SqliteDatabase): Promise<CursorSecret> {
  const one = database.prepare('SELECT key, earlier_until FROM cursor_secret');
  const insert = database.prepare(
    'INSERT OR IGNORE INTO cursor_secret (id, key, earlier_until) VALUES (1, ?, ?)',
  );
  if (one.get() === undefined) {
    const hasRows = Object.values(feedNames).some(
      ({ rows }) => database.prepare(`SELECT 1 FROM ${rows} LIMIT 1`).get() !== undefined,
    );
    const earlierUntilMs = hasRows ? Date.now() + upgradeMs : 0;
    await database.write(() => void insert.run(randomBytes(cursorKeyBytes), earlierUntilMs));
  }
  const { key, earlier_until } = one.get() as { key: Uint8Array; earlier_until: number };
  return { key, earlierUntilMs: earlier_until };
}
