import { join } from 'node:path';
import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import type { StoreSchema } from '@teammemory/migrations/schema-version.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { sqliteRestoreSchema } from '@teammemory/sqlite/backup-tables.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { EmbeddingStore } from '../domain/embedding/embedding-store.ts';
import { type PassageStore, passageForm } from '../domain/passages/passage-store.ts';
import type { RatingStore } from '../domain/ratings/ratings.ts';
import type { UsageStore } from '../domain/spending/usage-store.ts';
import { sqliteBackup, sqliteSettledDays } from './sqlite-backup.ts';
import { createSqliteEmbeddingStore, sqliteEmbeddingSchema } from './sqlite-embedding-store.ts';
import {
  createSqlitePassageStore,
  removeEarlierPassages,
  sqlitePassageSchema,
} from './sqlite-passage-store.ts';
import { createSqliteRatingStore, sqliteRatingSchema } from './sqlite-rating-store.ts';
import { createSqliteUsageStore, sqliteUsageSchema } from './sqlite-usage-store.ts';

export type { Storage };

/** The form of the stored data; docs/upgrading.md says when to raise it. */
const schema: StoreSchema = { store: 'query', version: 1, readableFrom: 0 };

/** Everything that the service keeps. */
export interface QueryStores {
  passages: PassageStore;
  embeddings: EmbeddingStore;
  /**
   * Removes for good what was made of erased items, whose passages are replaced already: their vectors, and what the files
   * keep of replaced rows.
   */
  erase: EmbeddingStore['erase'];
  usage: UsageStore;
  ratings: RatingStore;
  /** What backup and restore read and write. */
  backup: BackupStore;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends after the writes that wait. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. */
export function openQueryStores(storage: Storage): Promise<QueryStores> {
  return storage.engine === 'sqlite' ? openSqlite(storage) : openMongo(storage.connection);
}

async function openSqlite({
  directory,
  room,
  metrics,
}: Extract<Storage, { engine: 'sqlite' }>): Promise<QueryStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'query.sqlite'),
    version: schema,
    room,
    metrics,
    schema: [
      ...[removeEarlierPassages, sqliteEmbeddingSchema, sqliteUsageSchema],
      ...[sqliteRatingSchema, sqliteSettledDays, sqliteRestoreSchema],
    ].join(''),
  });
  const made = openSqliteDatabase({
    file: join(directory, 'passages.sqlite'),
    remadeForm: String(passageForm),
    room,
    metrics,
    schema: sqlitePassageSchema,
  });
  const embeddings = createSqliteEmbeddingStore(database);
  return {
    passages: createSqlitePassageStore(made),
    embeddings,
    async erase(teamId, rowKeys) {
      await embeddings.erase(teamId, rowKeys);
      await made.scrub();
    },
    usage: createSqliteUsageStore(database),
    ratings: createSqliteRatingStore(database),
    backup: sqliteBackup(database),
    async ready() {
      await Promise.all([database.ready(), made.ready()]);
    },
    async close() {
      await Promise.all([database.close(), made.close()]);
    },
  };
}

/** The driver takes a good part of a start, so it is loaded only where a server is configured. */
async function openMongo(connection: MongoConnection): Promise<QueryStores> {
  const { openMongoSchema } = await import('@teammemory/mongo/schema-record.ts');
  await openMongoSchema(connection, schema);
  const [passages, embeddings, usage, ratings, backup] = await Promise.all([
    import('./mongo-passage-store.ts'),
    import('./mongo-embedding-store.ts'),
    import('./mongo-usage-store.ts'),
    import('./mongo-rating-store.ts'),
    import('./mongo-backup.ts'),
  ]);
  const vectors = await embeddings.createMongoEmbeddingStore(connection);
  return {
    passages: await passages.createMongoPassageStore(connection),
    embeddings: vectors,
    erase: vectors.erase,
    usage: await usage.createMongoUsageStore(connection),
    ratings: await ratings.createMongoRatingStore(connection),
    backup: backup.mongoBackup(connection),
    ready: connection.ping,
    close: async () => undefined,
  };
}
