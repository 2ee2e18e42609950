import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { ContentStores } from './content-stores.ts';
import { feedNames } from './feed-names.ts';
import { mongoCursorSecret } from './mongo-cursor-secret.ts';
import { createMongoItemStore } from './mongo-item-store.ts';
import { createMongoProjectStore } from './mongo-project-store.ts';
import { createMongoProjectionStore } from './mongo-projection-store.ts';
import { createMongoSkippedTextStore } from './mongo-skipped-text-store.ts';

/** Opens content's stores in MongoDB, creating what is missing. */
export async function openMongoContentStores(connection: MongoConnection): Promise<ContentStores> {
  return {
    items: await createMongoItemStore(connection, feedNames.items),
    tasks: await createMongoItemStore(connection, feedNames.tasks),
    decisions: await createMongoItemStore(connection, feedNames.decisions),
    projects: await createMongoProjectStore(connection),
    places: createMongoProjectionStore(connection),
    skipped: await createMongoSkippedTextStore(connection),
    cursorSecret: await mongoCursorSecret(connection),
    ping: connection.ping,
    close: async () => undefined,
  };
}
