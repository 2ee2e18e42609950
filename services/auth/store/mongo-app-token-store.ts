import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { AppToken, AppTokenStore, StoredAppToken } from '../domain/apps.ts';

interface AppTokenDocument {
  /** The token's id. */
  _id: string;
  kind: AppToken['kind'];
  team_id: string;
  key_id: string;
  resource: string;
  redirect_uri: string | null;
  code_challenge: string | null;
  secret_hash: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  /** Only codes have it. */
  app_ends_at?: number;
  /** Only refresh tokens have it. */
  previous_hash?: string | null;
}

/** Creates the store of apps' tokens in MongoDB and ensures its indexes. */
export async function createMongoAppTokenStore(connection: MongoConnection): Promise<AppTokenStore> {
  const { db, call, ensureIndexes } = connection;
  const tokens = db.collection<AppTokenDocument>('app_tokens');
  await ensureIndexes('app_tokens', [
    { key: { team_id: 1, key_id: 1, kind: 1, created_at: 1, _id: 1 }, name: 'key' },
    { key: { expires_at: 1 }, name: 'expiry' },
  ]);

  return {
    async create(teamId, stored, maxOfKind) {
      try {
        await call((deadline) => tokens.insertOne(documentFrom(teamId, stored), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'There is a token with this id already.', { cause: error });
      }
      const { keyId, kind, createdAt } = stored.token;
      await removeFound(connection, tokens, { expires_at: { $lte: createdAt } }, {});
      const ofKind = { team_id: teamId, key_id: keyId, kind };
      await removeFound(connection, tokens, ofKind, { sort: { created_at: -1, _id: -1 }, skip: maxOfKind });
    },

    async findById(tokenId) {
      const document = await call((deadline) => tokens.findOne({ _id: tokenId }, deadline));
      if (!document) return undefined;
      const { secret_hash: secretHash, previous_hash: previousHash = null } = document;
      return { token: tokenFrom(document), secretHash, previousHash };
    },

    async use(teamId, tokenId, { at, keptUntil }) {
      const ofToken = { _id: tokenId, team_id: teamId };
      const { modifiedCount } = await call((deadline) =>
        tokens.updateOne(
          { ...ofToken, used_at: null },
          { $set: { used_at: at, expires_at: keptUntil } },
          deadline,
        ),
      );
      if (modifiedCount > 0) return null;
      return (await call((deadline) => tokens.findOne(ofToken, deadline)))?.used_at;
    },

    async replaceSecret(teamId, { tokenId, secretHash }, next) {
      const set = { secret_hash: next.secretHash, previous_hash: next.previousHash, used_at: next.usedAt };
      const { modifiedCount } = await call((deadline) =>
        tokens.updateOne({ _id: tokenId, team_id: teamId, secret_hash: secretHash }, { $set: set }, deadline),
      );
      return modifiedCount > 0;
    },
  };
}

function documentFrom(
  teamId: string,
  { token, secretHash }: Omit<StoredAppToken, 'previousHash'>,
): AppTokenDocument {
  return {
    _id: token.tokenId,
    kind: token.kind,
    team_id: teamId,
    key_id: token.keyId,
    resource: token.resource,
    redirect_uri: token.redirectUri,
    code_challenge: token.codeChallenge,
    secret_hash: secretHash,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    used_at: token.usedAt,
    ...(token.appEndsAt !== null && { app_ends_at: token.appEndsAt }),
  };
}

function tokenFrom(document: AppTokenDocument): AppToken {
  return {
    tokenId: document._id,
    kind: document.kind,
    teamId: document.team_id,
    keyId: document.key_id,
    resource: document.resource,
    redirectUri: document.redirect_uri,
    codeChallenge: document.code_challenge,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    usedAt: document.used_at,
    appEndsAt: document.app_ends_at ?? null,
  };
}
