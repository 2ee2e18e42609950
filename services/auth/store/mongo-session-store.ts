import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { KeyTier } from '../domain/keys.ts';
import type { Session, SessionStore, StoredSession } from '../domain/sessions.ts';

interface SessionDocument {
  /** The session's id. */
  _id: string;
  team_id: string;
  key_id: string;
  member_id: string;
  tier: KeyTier;
  secret_hash: string;
  created_at: number;
  expires_at: number;
}

/** Creates the store of sessions in MongoDB and ensures its indexes. */
export async function createMongoSessionStore(connection: MongoConnection): Promise<SessionStore> {
  const { db, call, ensureIndexes } = connection;
  const sessions = db.collection<SessionDocument>('sessions');
  await ensureIndexes('sessions', [
    { key: { team_id: 1, member_id: 1, tier: 1, created_at: 1, _id: 1 }, name: 'member' },
    { key: { team_id: 1, key_id: 1, created_at: 1, _id: 1 }, name: 'key' },
    { key: { expires_at: 1 }, name: 'expiry' },
  ]);

  return {
    async create(teamId, stored, maxOfKey) {
      try {
        await call((deadline) => sessions.insertOne(documentFrom(teamId, stored), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'There is a session with this id already.', { cause: error });
      }
      const { keyId, createdAt } = stored.session;
      await removeFound(connection, sessions, { expires_at: { $lte: createdAt } }, {});
      const ofKey = { team_id: teamId, key_id: keyId };
      await removeFound(connection, sessions, ofKey, { sort: { created_at: -1, _id: -1 }, skip: maxOfKey });
    },

    async findById(sessionId) {
      const document = await call((deadline) => sessions.findOne({ _id: sessionId }, deadline));
      return document ? { session: sessionFrom(document), secretHash: document.secret_hash } : undefined;
    },

    async remove(teamId, sessionId) {
      await call((deadline) => sessions.deleteOne({ _id: sessionId, team_id: teamId }, deadline));
    },

    async removeOfMember(teamId, memberId, tiers, at) {
      const ofMember = { team_id: teamId, member_id: memberId, tier: { $in: [...tiers] } };
      const { deletedCount } = await call((deadline) =>
        sessions.deleteMany({ ...ofMember, expires_at: { $gt: at } }, deadline),
      );
      await call((deadline) => sessions.deleteMany({ ...ofMember, expires_at: { $lte: at } }, deadline));
      return deletedCount;
    },
  };
}

function documentFrom(teamId: string, { session, secretHash }: StoredSession): SessionDocument {
  return {
    _id: session.sessionId,
    team_id: teamId,
    key_id: session.keyId,
    member_id: session.memberId,
    tier: session.tier,
    secret_hash: secretHash,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  };
}

function sessionFrom(document: SessionDocument): Session {
  return {
    sessionId: document._id,
    teamId: document.team_id,
    keyId: document.key_id,
    memberId: document.member_id,
    tier: document.tier,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
  };
}
