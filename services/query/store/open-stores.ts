import { join } from 'node:path';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { QueryStores } from './query-stores.ts';
import { createSqliteEmbeddingStore, sqliteEmbeddingSchema } from './sqlite-embedding-store.ts';
import { createSqlitePassageStore, passageColumns, sqlitePassageSchema } from './sqlite-passage-store.ts';
import { createSqliteUsageStore, sqliteUsageSchema } from './sqlite-usage-store.ts';

export type { Storage };

/** Opens the stores in either engine, creating what is missing. The only place that knows both. */
export async function openQueryStores(storage: Storage): Promise<QueryStores> {
  if (storage.engine === 'sqlite') return openSqlite(storage);
  // The driver is a good part of a start, and of no use without a server.
  const { openMongoQueryStores } = await import('./open-mongo-stores.ts');
  return openMongoQueryStores(storage.connection);
}

async function openSqlite({
  directory,
  metrics,
}: Extract<Storage, { engine: 'sqlite' }>): Promise<QueryStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'query.sqlite'),
    metrics,
    schema: sqlitePassageSchema + sqliteEmbeddingSchema + sqliteUsageSchema,
    addedColumns: passageColumns,
  });
  return {
    passages: createSqlitePassageStore(database),
    embeddings: createSqliteEmbeddingStore(database),
    usage: createSqliteUsageStore(database),
    async ready() {
      database.prepare('SELECT 1').get();
    },
    close: () => database.close(),
  };
}
