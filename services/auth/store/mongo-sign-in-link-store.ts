import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { SignInLink, SignInLinkStore, StoredSignInLink } from '../domain/sessions.ts';

interface SignInLinkDocument {
  /** The link's id. */
  _id: string;
  team_id: string;
  key_id: string;
  secret_hash: string;
  created_at: number;
  expires_at: number;
}

/** Creates the store of sign-in links in MongoDB and ensures its indexes. */
export async function createMongoSignInLinkStore(connection: MongoConnection): Promise<SignInLinkStore> {
  const { db, call, ensureIndexes } = connection;
  const links = db.collection<SignInLinkDocument>('sign_in_links');
  await ensureIndexes('sign_in_links', [
    { key: { team_id: 1, key_id: 1, created_at: 1, _id: 1 }, name: 'key' },
    { key: { expires_at: 1 }, name: 'expiry' },
  ]);

  return {
    async create(teamId, stored, maxOfKey) {
      try {
        await call((deadline) => links.insertOne(documentFrom(teamId, stored), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'There is a sign-in link with this id already.', {
          cause: error,
        });
      }
      const { keyId, createdAt } = stored.link;
      const ofKey = { team_id: teamId, key_id: keyId };
      await removeFound(connection, links, { expires_at: { $lte: createdAt } }, {});
      await removeFound(connection, links, ofKey, { sort: { created_at: -1, _id: -1 }, skip: maxOfKey });
    },

    async findById(linkId) {
      const document = await call((deadline) => links.findOne({ _id: linkId }, deadline));
      return document ? { link: linkFrom(document), secretHash: document.secret_hash } : undefined;
    },

    async take(teamId, linkId) {
      const { deletedCount } = await call((deadline) =>
        links.deleteOne({ _id: linkId, team_id: teamId }, deadline),
      );
      return deletedCount > 0;
    },
  };
}

function documentFrom(teamId: string, { link, secretHash }: StoredSignInLink): SignInLinkDocument {
  return {
    _id: link.linkId,
    team_id: teamId,
    key_id: link.keyId,
    secret_hash: secretHash,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
  };
}

function linkFrom(document: SignInLinkDocument): SignInLink {
  return {
    linkId: document._id,
    teamId: document.team_id,
    keyId: document.key_id,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
  };
}
