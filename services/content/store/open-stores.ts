import { join } from 'node:path';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { createMongoItemStore } from './mongo-item-store.ts';
import { createSqliteItemStore, itemSchema } from './sqlite-item-store.ts';

/** Where a service keeps its rows: a file in a directory of this process alone, or a MongoDB database. */
export type Storage =
  | { engine: 'sqlite'; directory: string }
  | { engine: 'mongodb'; connection: MongoConnection };

export interface ContentStores {
  items: ItemStore;
  /** Answers when the database does, else throws AppError `unavailable`. */
  ping(): Promise<void>;
  /** Closes what was opened here; a MongoDB connection stays its owner's. */
  close(): Promise<void>;
}

/** Opens content's stores on either engine, creating what is missing. */
export async function openContentStores(storage: Storage): Promise<ContentStores> {
  if (storage.engine === 'mongodb') {
    const { connection } = storage;
    return {
      items: await createMongoItemStore(connection),
      ping: connection.ping,
      close: async () => undefined,
    };
  }
  const database = openSqliteDatabase({
    file: join(storage.directory, 'content.sqlite'),
    schema: itemSchema,
  });
  return {
    items: createSqliteItemStore(database),
    ping: async () => void database.prepare('SELECT 1').get(),
    close: database.close,
  };
}
