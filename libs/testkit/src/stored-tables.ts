import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EngineStorage } from './describe-each-engine.ts';

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
