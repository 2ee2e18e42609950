import { join } from 'node:path';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { ContentStores } from './content-stores.ts';
import { feedNames } from './feed-names.ts';
import { cursorSecretSchema, sqliteCursorSecret } from './sqlite-cursor-secret.ts';
import { createSqliteItemStore, feedColumns, feedSchema } from './sqlite-item-store.ts';
import { createSqliteProjectStore, projectSchema } from './sqlite-project-store.ts';
import {
  createSqliteProjectionStore,
  projectionColumns,
  projectionSchema,
} from './sqlite-projection-store.ts';
import { createSqliteSkippedTextStore, skippedTextSchema } from './sqlite-skipped-text-store.ts';

export type { Storage };

/** Opens content's stores on either engine, creating what is missing. */
export async function openContentStores(storage: Storage): Promise<ContentStores> {
  if (storage.engine === 'mongodb') {
    // The driver is a good part of a start, and of no use without a server.
    const { openMongoContentStores } = await import('./open-mongo-stores.ts');
    return openMongoContentStores(storage.connection);
  }
  const feedSchemas = Object.values(feedNames).map(feedSchema);
  const schema = [
    ...feedSchemas,
    projectSchema,
    projectionSchema,
    skippedTextSchema,
    cursorSecretSchema,
  ].join('');
  const { directory, metrics } = storage;
  const ofFeeds = Object.values(feedNames).map(({ rows }) => [rows, feedColumns] as const);
  const addedColumns = { ...Object.fromEntries(ofFeeds), projection_places: projectionColumns };
  const file = join(directory, 'content.sqlite');
  const database = openSqliteDatabase({ file, schema, addedColumns, metrics });
  return {
    items: createSqliteItemStore(database, feedNames.items),
    tasks: createSqliteItemStore(database, feedNames.tasks),
    decisions: createSqliteItemStore(database, feedNames.decisions),
    projects: createSqliteProjectStore(database),
    places: createSqliteProjectionStore(database),
    skipped: createSqliteSkippedTextStore(database),
    cursorSecret: await sqliteCursorSecret(database),
    ping: async () => void database.prepare('SELECT 1').get(),
    close: database.close,
  };
}
