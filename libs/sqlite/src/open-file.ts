import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { StoreSchema } from '@teammemory/migrations/schema-version.ts';
import { isDiskFull } from './disk-room.ts';
import { makePrivateFile } from './private-file.ts';
import { rewriteLog } from './rewrite-log.ts';
import { openSchema } from './schema-record.ts';

/** A writer waits this long for a checkpoint of its own process; nobody else may hold the file. */
export const busyTimeoutMs = 5_000;

/** What is opened. */
export interface FileOptions {
  file: string;
  schema: string;
  /** By table. */
  addedColumns?: Readonly<Record<string, readonly string[]>>;
  /** The form of the data; a file of a newer one is refused. Unset: the file has no versions. */
  version?: StoreSchema;
}

/** A file on which each commit waits for the disk. */
interface OpenFile {
  database: DatabaseSync;
}

/** A file with a second connection, which only reads. */
export interface SharedFile extends OpenFile {
  reader: DatabaseSync;
  /** A descriptor of the file. To be closed after both connections: it ends their locks. */
  file: number;
  /** A descriptor of the write-ahead log. */
  log: number;
}

/**
 * Opens a file in WAL mode with what was acknowledged safe from power loss, and creates it and its schema where they are
 * missing. On a full disk, and in memory, there can be one connection only.
 * @throws AppError as `openSqliteDatabase`.
 */
export function openFile(options: FileOptions): OpenFile | SharedFile {
  const { file } = options;
  try {
    if (file !== ':memory:') {
      rewriteLog(`${file}-wal`);
      return openShared(options);
    }
    return { database: openWithin(options, 'NORMAL') };
  } catch (cause) {
    if (!isDiskFull(cause, file)) throw openError(cause, file);
  }
  try {
    // Without space for the index of the WAL that processes would share, this one keeps it in its own memory.
    return { database: openWithin(options, 'EXCLUSIVE') };
  } catch (cause) {
    throw openError(cause, file);
  }
}

function openError(cause: unknown, file: string): unknown {
  if (cause instanceof AppError) return cause;
  const sentence = isDiskFull(cause, file)
    ? `The disk of ${file} is full: make room and start again.`
    : `The database file ${file} cannot be opened, or is not one of this service.`;
  return new AppError('unavailable', sentence, { cause });
}

function openShared(options: FileOptions): SharedFile {
  makePrivateFile(options.file);
  const file = openSync(options.file, 'r+');
  let database: DatabaseSync | undefined;
  let reader: DatabaseSync | undefined;
  let log: number | undefined;
  try {
    database = openWithin(options, 'NORMAL');
    reader = new DatabaseSync(options.file);
    reader.exec(
      `PRAGMA query_only=ON; PRAGMA busy_timeout=${busyTimeoutMs}; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-16000;
       SELECT 1 FROM sqlite_schema;`,
    );
    log = openSync(`${options.file}-wal`, 'r+');
    return { database, reader, file, log };
  } catch (cause) {
    if (log !== undefined) closeSync(log);
    reader?.close();
    database?.close();
    closeSync(file);
    throw cause;
  }
}

function openWithin(
  { file, schema, addedColumns = {}, version }: FileOptions,
  locking: 'NORMAL' | 'EXCLUSIVE',
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (file !== ':memory:') makePrivateFile(file);
    database = new DatabaseSync(file);
    database.exec(
      `PRAGMA locking_mode=${locking}; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
       PRAGMA busy_timeout=${busyTimeoutMs}; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;
       PRAGMA cache_size=-64000; PRAGMA secure_delete=ON;`,
    );
    if (version !== undefined) openSchema(database, version);
    for (const [table, columns] of Object.entries(addedColumns)) addColumns(database, table, columns);
    database.exec(schema);
    return database;
  } catch (cause) {
    database?.close();
    throw cause;
  }
}

function addColumns(database: DatabaseSync, table: string, columns: readonly string[]): void {
  const present = new Set(
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name),
  );
  // A table that is not there yet is made with all of its columns.
  if (present.size === 0) return;
  for (const column of columns) {
    if (!present.has(column.split(' ')[0] as string))
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
  }
}
