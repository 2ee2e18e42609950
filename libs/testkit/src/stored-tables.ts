import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EngineStorage } from './describe-each-engine.ts';

/** Returns the fields of each unique index of a table, but that of its key, or of a collection, but that of `_id`; sorted. */
export async function uniqueFields(storage: EngineStorage, file: string, table: string): Promise<string[][]> {
  if (storage.engine === 'mongodb') {
    const indexes = await storage.connection.db.collection(table).indexes();
    return indexes.filter(({ unique }) => unique === true).map(({ key }) => Object.keys(key).toSorted());
  }
  const database = new DatabaseSync(join(storage.directory, file));
  const indexes = database
    .prepare('SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND origin <> \'pk\'')
    .all(table);
  const fields = indexes.map(({ name }) =>
    database
      .prepare('SELECT name FROM pragma_index_info(?)')
      .all(name as string)
      .map((column) => String(column.name))
      .toSorted(),
  );
  database.close();
  return fields;
}

/** Returns the names of the tables in an SQLite file of a storage, or of the collections in its database. */
export async function storedTables(storage: EngineStorage, file: string): Promise<string[]> {
  if (storage.engine === 'mongodb') {
    const collections = await storage.connection.db.listCollections({}, { nameOnly: true }).toArray();
    return collections.map(({ name }) => name);
  }
  const database = new DatabaseSync(join(storage.directory, file));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  database.close();
  return tables.map(({ name }) => String(name));
}
