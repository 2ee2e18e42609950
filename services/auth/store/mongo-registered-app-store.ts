import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { RegisteredApp, RegisteredAppStore } from '../domain/registered-apps.ts';

interface RegisteredAppDocument {
  /** The app's id. */
  _id: string;
  name: string;
  redirect_uris: string[];
  created_at: number;
  used_at: number | null;
  /** The member who was the first to let it act. */
  used_by?: string;
}

/** Creates the store of apps that registered themselves in MongoDB and ensures its indexes. */
export async function createMongoRegisteredAppStore(
  connection: MongoConnection,
): Promise<RegisteredAppStore> {
  const { db, call, ensureIndexes } = connection;
  const apps = db.collection<RegisteredAppDocument>('registered_apps');
  await ensureIndexes('registered_apps', [
    { key: { used_at: 1, created_at: 1 }, name: 'unused' },
    { key: { used_by: 1, used_at: 1 }, name: 'member' },
  ]);

  return {
    async add(app, { unusedUntil, max }) {
      await removeFound(connection, apps, { used_at: null, created_at: { $lte: unusedUntil } }, {});
      const newestFirst = { sort: { created_at: -1, _id: -1 }, skip: max - 1 } as const;
      await removeFound(connection, apps, { used_at: null }, newestFirst);
      await call((deadline) => apps.insertOne(documentFrom(app), deadline));
    },

    async findById(clientId) {
      const document = await call((deadline) => apps.findOne({ _id: clientId }, deadline));
      return document ? appFrom(document) : undefined;
    },

    async use(clientId, { memberId, at }, max) {
      await call((deadline) => apps.updateOne({ _id: clientId }, { $set: { used_at: at } }, deadline));
      const unclaimed = { _id: clientId, used_by: { $exists: false } };
      await call((deadline) => apps.updateOne(unclaimed, { $set: { used_by: memberId } }, deadline));
      const newestFirst = { sort: { used_at: -1, created_at: -1, _id: -1 }, skip: max } as const;
      await removeFound(connection, apps, { used_by: memberId }, newestFirst);
    },
  };
}

function documentFrom(app: RegisteredApp): RegisteredAppDocument {
  return {
    _id: app.clientId,
    name: app.name,
    redirect_uris: app.redirectUris,
    created_at: app.createdAt,
    used_at: app.usedAt,
  };
}

function appFrom(document: RegisteredAppDocument): RegisteredApp {
  return {
    clientId: document._id,
    name: document.name,
    redirectUris: document.redirect_uris,
    createdAt: document.created_at,
    usedAt: document.used_at,
  };
}
