import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Fields } from './fields.ts';
import type { LogReading } from './session-event.ts';

/** Its writer may hold the file for a moment. */
const busyMs = 2_000;

/**
 * Opens a database of another program read-only. Undefined for a file that is not there or is no database, which is
 * counted, and on a Node whose SQLite takes no URL (before 22.15).
 */
export async function openReadOnly(path: string, { skipped }: LogReading): Promise<DatabaseSync | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    const { DatabaseSync } = await import('node:sqlite');
    const url = pathToFileURL(path);
    // SQLite makes files beside one in WAL mode even to read it, and a reader leaves them there. Where its writer has
    // them, or a journal, the file may be in use, and has to be read with them.
    const isInUse = ['-wal', '-journal'].some((end) => existsSync(path + end));
    if (!isInUse) url.searchParams.set('immutable', '1');
    const database = new DatabaseSync(url, { readOnly: true, timeout: busyMs });
    // What is no database shows with the first read.
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return database;
  } catch {
    skipped.torn += 1;
    return undefined;
  }
}

/** Yields the rows of a query one by one. One that fails, as for a table that is not there, ends it and is counted. */
export function* rowsOf(
  database: DatabaseSync,
  query: string,
  { skipped, signal }: LogReading,
  ...parameters: (string | number)[]
): Generator<Fields> {
  try {
    for (const row of database.prepare(query).iterate(...parameters)) {
      signal.throwIfAborted();
      yield row as Fields;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    skipped.torn += 1;
  }
}
