import { join } from 'node:path';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { PassageStore } from '../domain/passage-store.ts';
import type { UsageStore } from '../domain/usage-store.ts';
import { openMongoPassageStore } from './mongo-passage-store.ts';
import { openMongoUsageStore } from './mongo-usage-store.ts';
import { createSqlitePassageStore, sqlitePassageSchema } from './sqlite-passage-store.ts';
import { createSqliteUsageStore, sqliteUsageSchema } from './sqlite-usage-store.ts';

/** Where the service keeps its rows. */
export type Storage =
  /** In `query.sqlite` below `directory`, which must be there and locked for this process. */
  | { engine: 'sqlite'; directory: string }
  /** In a connection of the caller's, who closes it after the service. */
  | { engine: 'mongodb'; connection: MongoConnection };

/** Everything that the service keeps. */
export interface QueryStores {
  passages: PassageStore;
  usage: UsageStore;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends after the writes that wait. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. The only place that knows both. */
export function openQueryStores(storage: Storage): Promise<QueryStores> {
  return storage.engine === 'sqlite' ? openSqlite(storage.directory) : openMongo(storage.connection);
}

async function openSqlite(directory: string): Promise<QueryStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'query.sqlite'),
    schema: sqlitePassageSchema + sqliteUsageSchema,
  });
  return {
    passages: createSqlitePassageStore(database),
    usage: createSqliteUsageStore(database),
    async ready() {
      database.prepare('SELECT 1').get();
    },
    close: () => database.close(),
  };
}

async function openMongo(connection: MongoConnection): Promise<QueryStores> {
  return {
    passages: await openMongoPassageStore(connection),
    usage: await openMongoUsageStore(connection),
    ready: () => connection.ping(),
    async close() {},
  };
}
