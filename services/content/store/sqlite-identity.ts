import { randomUUID } from 'node:crypto';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';

/** The table of the identity. Runs on every start. */
export const sqliteIdentitySchema = `
  CREATE TABLE IF NOT EXISTS identity (id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL) STRICT;
`;

/** Returns the identity of the data, and makes it in a file that has none. It is no part of a backup: restored data is other data. */
export async function sqliteIdentity(database: SqliteDatabase): Promise<string> {
  const one = database.prepare('SELECT uuid FROM identity');
  if (one.get() === undefined) {
    const insert = database.prepare('INSERT OR IGNORE INTO identity (id, uuid) VALUES (1, ?)');
    await database.write(() => void insert.run(randomUUID()));
  }
  return (one.get() as { uuid: string }).uuid;
}
