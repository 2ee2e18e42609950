import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { StoreSchema } from '@teammemory/migrations/schema-version.ts';
import { isDiskFull } from './disk-room.ts';
import { makePrivateFile } from './private-file.ts';
import { rewriteLog } from './rewrite-log.ts';
import { openSchema } from './schema-record.ts';
import { startOfMachine } from './start-of-machine.ts';

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
  /**
   * The form of data that can be made again from other data. No sync is made for it. The file begins anew if its data has
   * another form, or was written before the machine started: not all of that may have reached the disk.
   */
  remadeForm?: string;
}

/** A file on which each commit waits for the disk, or, if it can be made again, none does. */
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
  const { file, remadeForm } = options;
  try {
    if (remadeForm !== undefined) removeUnlessMadeSo(file, stampOf(remadeForm));
    else if (file !== ':memory:') {
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

/** What a file that can be made again says of its data. */
const stampOf = (form: string) => `${form} ${startOfMachine()}`;

function removeUnlessMadeSo(file: string, stamp: string): void {
  makePrivateFile(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    if (database.prepare('SELECT stamp FROM made').get()?.stamp === stamp) return;
  } catch {
    // New, or damaged.
  } finally {
    database?.close();
  }
  for (const companion of ['', '-wal', '-shm', '-journal']) rmSync(file + companion, { force: true });
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
  { file, schema, addedColumns = {}, version, remadeForm }: FileOptions,
  locking: 'NORMAL' | 'EXCLUSIVE',
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (file !== ':memory:') makePrivateFile(file);
    database = new DatabaseSync(file);
    database.exec(
      `PRAGMA locking_mode=${locking}; PRAGMA synchronous=${remadeForm === undefined ? 'FULL' : 'OFF'}; PRAGMA journal_mode=WAL;
       PRAGMA busy_timeout=${busyTimeoutMs}; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;
       PRAGMA cache_size=-64000; PRAGMA secure_delete=ON;`,
    );
    if (version !== undefined) openSchema(database, version);
    for (const [table, columns] of Object.entries(addedColumns)) addColumns(database, table, columns);
    database.exec(schema);
    if (remadeForm !== undefined) {
      database.exec('CREATE TABLE IF NOT EXISTS made (stamp TEXT PRIMARY KEY) STRICT');
      database.prepare('INSERT OR IGNORE INTO made VALUES (?)').run(stampOf(remadeForm));
    }
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
