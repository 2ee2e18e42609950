import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { Key, KeyStore, KeysOf, KeyTier, StoredKey } from '../domain/keys.ts';
import { storedAccess } from './stored-access.ts';

interface KeyDocument {
  /** The key's id. */
  _id: string;
  team_id: string;
  team_slug: string;
  member_id: string;
  member_handle: string;
  tier: KeyTier;
  secret_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  access: ReturnType<typeof storedAccess>;
  item_writes_per_minute: number | null;
  /** Only keys made for sessions have it. */
  for_sign_in?: true;
  /** Only keys of apps have these two. */
  app_client_id?: string;
  app_maker_key_id?: string;
  /** Only keys that propose have it, and with it the access `read`. */
  proposes?: 1;
}

/** Creates the store of keys in MongoDB and ensures its indexes. */
export async function createMongoKeyStore(connection: MongoConnection): Promise<KeyStore> {
  const { db, call, ensureIndexes } = connection;
  const keys = db.collection<KeyDocument>('keys');
  await ensureIndexes('keys', [
    { key: { team_id: 1, created_at: 1, _id: 1 }, name: 'age' },
    { key: { team_id: 1, member_id: 1, created_at: 1, _id: 1 }, name: 'member' },
    {
      key: { team_id: 1, member_id: 1, created_at: 1, _id: 1 },
      name: 'sign_in',
      partialFilterExpression: { for_sign_in: true },
    },
    {
      key: { team_id: 1, app_maker_key_id: 1 },
      name: 'maker',
      partialFilterExpression: { app_maker_key_id: { $exists: true } },
    },
  ]);

  return {
    async create(teamId, stored) {
      try {
        await call((deadline) => keys.insertOne(documentFrom(teamId, stored), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'There is a key with this id already.', { cause: error });
      }
    },

    async findById(keyId) {
      const document = await call((deadline) => keys.findOne({ _id: keyId }, deadline));
      return document ? { key: keyFrom(document), secretHash: document.secret_hash } : undefined;
    },

    async list(teamId, { createdAt, keyId }, limit, of) {
      const later = [{ created_at: { $gt: createdAt } }, { created_at: createdAt, _id: { $gt: keyId } }];
      const documents = await call((deadline) =>
        keys
          .find({ team_id: teamId, ...filterOf(of), $or: later }, deadline)
          .sort({ created_at: 1, _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map(keyFrom);
    },

    async countValid(teamId, memberId, at) {
      const valid = {
        team_id: teamId,
        member_id: memberId,
        for_sign_in: { $exists: false },
        ...isApp(false),
        revoked_at: null,
        $or: [{ expires_at: null }, { expires_at: { $gt: at } }],
      };
      return call((deadline) => keys.countDocuments(valid, deadline));
    },

    async countApps(teamId, of, at) {
      const valid = { ...isApp(true), team_id: teamId, ...filterOf(of), revoked_at: null };
      return call((deadline) => keys.countDocuments({ ...valid, expires_at: { $gt: at } }, deadline));
    },

    async revoke(teamId, keyId, at) {
      // A pipeline, so that reading the earlier revocation and keeping it is one step.
      const keepEarlier = [{ $set: { revoked_at: { $ifNull: ['$revoked_at', at] } } }];
      const document = await call((deadline) =>
        keys.findOneAndUpdate({ _id: keyId, team_id: teamId }, keepEarlier, {
          returnDocument: 'after',
          ...deadline,
        }),
      );
      return document ? keyFrom(document) : undefined;
    },

    async revokeOfMember(teamId, memberHandle, at) {
      const valid = { team_id: teamId, member_handle: memberHandle, revoked_at: null };
      const { modifiedCount } = await call((deadline) =>
        keys.updateMany(valid, { $set: { revoked_at: at } }, deadline),
      );
      return modifiedCount;
    },

    async revokeApps(teamId, of, at) {
      const which = 'keyId' in of ? { ...isApp(true), _id: of.keyId } : filterOf(of);
      const revoked: Key[] = [];
      // One by one, because only so the server tells which it revoked. An app that is connected meanwhile is revoked too.
      for (;;) {
        const document = await call((deadline) =>
          keys.findOneAndUpdate(
            { team_id: teamId, ...which, revoked_at: null },
            { $set: { revoked_at: at } },
            { returnDocument: 'after', ...deadline },
          ),
        );
        if (document === null) return revoked;
        revoked.push(keyFrom(document));
      }
    },

    async removeEndedApps(teamId, memberId, at) {
      const ended = { $or: [{ expires_at: { $lte: at } }, { revoked_at: { $ne: null } }] };
      await removeFound(
        connection,
        keys,
        { ...isApp(true), team_id: teamId, member_id: memberId, ...ended },
        {},
      );
    },

    async removeSignInKeys(teamId, memberId, at, maxOfMember) {
      const ofMember = { team_id: teamId, member_id: memberId, for_sign_in: true } as const;
      await removeFound(connection, keys, { ...ofMember, expires_at: { $lte: at } }, {});
      await removeFound(connection, keys, ofMember, {
        sort: { created_at: -1, _id: -1 },
        skip: maxOfMember,
      });
    },

    async expire(teamId, keyId, at) {
      const keepEarlier = [{ $set: { expires_at: { $min: ['$expires_at', at] } } }];
      const document = await call((deadline) =>
        keys.findOneAndUpdate({ _id: keyId, team_id: teamId, revoked_at: null }, keepEarlier, {
          returnDocument: 'after',
          ...deadline,
        }),
      );
      return document ? keyFrom(document) : undefined;
    },

    async setEndOfApp(teamId, keyId, at) {
      const valid = { ...isApp(true), _id: keyId, team_id: teamId, revoked_at: null };
      const document = await call((deadline) =>
        keys.findOneAndUpdate(valid, { $set: { expires_at: at } }, { returnDocument: 'after', ...deadline }),
      );
      return document ? keyFrom(document) : undefined;
    },

    async recordUse(teamId, keyId, at, intervalMs) {
      const due = [{ last_used_at: null }, { last_used_at: { $lte: at - intervalMs } }];
      await call((deadline) =>
        keys.updateOne({ _id: keyId, team_id: teamId, $or: due }, { $set: { last_used_at: at } }, deadline),
      );
    },
  };
}

function filterOf(of: KeysOf | undefined): { member_id?: string; app_maker_key_id?: string } {
  if (of === undefined) return {};
  return 'memberId' in of ? { member_id: of.memberId } : { app_maker_key_id: of.makerKeyId };
}

const isApp = ($exists: boolean) => ({ app_maker_key_id: { $exists } });

function documentFrom(teamId: string, { key, secretHash }: StoredKey): KeyDocument {
  return {
    _id: key.keyId,
    team_id: teamId,
    team_slug: key.teamSlug,
    member_id: key.memberId,
    member_handle: key.memberHandle,
    tier: key.tier,
    secret_hash: secretHash,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    access: storedAccess(key.access),
    ...(key.access === 'propose' ? { proposes: 1 } : {}),
    item_writes_per_minute: key.itemWritesPerMinute,
    ...(key.isForSignIn ? { for_sign_in: true } : {}),
    ...(key.app && { app_client_id: key.app.clientId, app_maker_key_id: key.app.makerKeyId }),
  };
}

function keyFrom(document: KeyDocument): Key {
  const { app_client_id: clientId, app_maker_key_id: makerKeyId } = document;
  const isApp = clientId !== undefined && makerKeyId !== undefined;
  return {
    keyId: document._id,
    teamId: document.team_id,
    teamSlug: document.team_slug,
    memberId: document.member_id,
    memberHandle: document.member_handle,
    tier: document.tier,
    access: document.proposes === 1 ? 'propose' : document.access,
    itemWritesPerMinute: document.item_writes_per_minute,
    isForSignIn: document.for_sign_in ?? false,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
    lastUsedAt: document.last_used_at,
    ...(isApp && { app: { clientId, makerKeyId } }),
  };
}
