import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import {
  noRecord,
  openedRecord,
  type SchemaRecord,
  type SchemaRecords,
  type StoreSchema,
} from '@teammemory/migrations/schema-version.ts';
import type { Statement } from './statement.ts';

const select =
  'SELECT version, readable_from AS readableFrom, reached_at AS reachedAt FROM schema_version WHERE store = ?';

/**
 * Checks that a program may work with a file, and notes that it does. To be called before anything else is changed.
 * @throws AppError as `openedRecord`.
 */
export function openSchema(database: DatabaseSync, schema: StoreSchema): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS schema_version (
       store TEXT PRIMARY KEY,
       version INTEGER NOT NULL,
       readable_from INTEGER NOT NULL,
       reached_at INTEGER NOT NULL
     ) STRICT;`,
  );
  const stored = database.prepare(select).get(schema.store) as SchemaRecord | undefined;
  const opened = openedRecord(schema, stored ?? noRecord);
  // Written only where it changes: on a full disk it could not be.
  if (isDeepStrictEqual({ ...stored }, opened)) return;
  const { version, readableFrom, reachedAt } = opened;
  database
    .prepare('INSERT OR REPLACE INTO schema_version VALUES (?, ?, ?, ?)')
    .run(schema.store, version, readableFrom, reachedAt);
}

/** What the record needs of an open file. */
interface OpenDatabase {
  prepare(sql: string): Statement;
  write<Result>(job: () => Result): Promise<Result>;
}

/** The record of a file that was opened with this schema. `SchemaRecords` says what each method promises. */
export function sqliteSchemaRecords(database: OpenDatabase, { store }: StoreSchema): SchemaRecords {
  const read = database.prepare(select);
  const reached = database.prepare(
    `UPDATE schema_version SET version = ?2, reached_at = CASE WHEN reached_at = 0 OR version < ?2 THEN ?3 ELSE reached_at END
     WHERE store = ?1`,
  );
  const outdated = database.prepare('UPDATE schema_version SET version = 0, reached_at = 0 WHERE store = ?');
  return {
    read: async () => ({ ...(read.get(store) as unknown as SchemaRecord) }),
    async reached(version, at) {
      await database.write(() => reached.run(store, version, at));
    },
    async outdated() {
      await database.write(() => outdated.run(store));
    },
  };
}
