import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { openMongoEmbeddingStore } from './mongo-embedding-store.ts';
import { openMongoPassageStore } from './mongo-passage-store.ts';
import { openMongoUsageStore } from './mongo-usage-store.ts';
import type { QueryStores } from './query-stores.ts';

/** Opens the query service's stores in MongoDB, creating what is missing. */
export async function openMongoQueryStores(connection: MongoConnection): Promise<QueryStores> {
  return {
    passages: await openMongoPassageStore(connection),
    embeddings: await openMongoEmbeddingStore(connection),
    usage: await openMongoUsageStore(connection),
    ready: () => connection.ping(),
    async close() {},
  };
}
