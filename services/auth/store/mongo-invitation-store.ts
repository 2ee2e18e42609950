import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { Invitation, InvitationStore, StoredInvitation } from '../domain/invitations.ts';

interface InvitationDocument {
  /** The invitation's id. */
  _id: string;
  team_id: string;
  team_slug: string;
  role: Invitation['role'];
  tier: Invitation['tier'];
  access: Invitation['access'];
  maker_id: string;
  maker_handle: string;
  maker_key_id: string;
  secret_hash: string;
  tried_names: number;
  created_at: number;
  expires_at: number;
}

/** Creates the store of invitations in MongoDB and ensures its indexes. */
export async function createMongoInvitationStore(connection: MongoConnection): Promise<InvitationStore> {
  const { db, call, ensureIndexes } = connection;
  const invitations = db.collection<InvitationDocument>('invitations');
  await ensureIndexes('invitations', [
    { key: { team_id: 1, created_at: 1, _id: 1 }, name: 'team' },
    { key: { expires_at: 1 }, name: 'expiry' },
  ]);

  return {
    async create(teamId, stored) {
      try {
        await call((deadline) => invitations.insertOne(documentFrom(teamId, stored), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'There is an invitation with this id already.', {
          cause: error,
        });
      }
      await removeFound(connection, invitations, { expires_at: { $lte: stored.invitation.createdAt } }, {});
    },

    async findById(invitationId) {
      const document = await call((deadline) => invitations.findOne({ _id: invitationId }, deadline));
      return document
        ? { invitation: invitationFrom(document), secretHash: document.secret_hash }
        : undefined;
    },

    async list(teamId, at, limit) {
      const filter = { team_id: teamId, expires_at: { $gt: at } };
      const documents = await call((deadline) =>
        invitations.find(filter, deadline).sort({ created_at: -1, _id: -1 }).limit(limit).toArray(),
      );
      return documents.map(invitationFrom);
    },

    async countName(teamId, invitationId, maxNames) {
      const filter = { _id: invitationId, team_id: teamId, tried_names: { $lt: maxNames } };
      const counted = await call((deadline) =>
        invitations.findOneAndUpdate(
          filter,
          { $inc: { tried_names: 1 } },
          { ...deadline, returnDocument: 'after' },
        ),
      );
      return counted?.tried_names;
    },

    async take(teamId, invitationId) {
      const { deletedCount } = await call((deadline) =>
        invitations.deleteOne({ _id: invitationId, team_id: teamId }, deadline),
      );
      return deletedCount > 0;
    },

    async removeOfKey(teamId, keyId) {
      await call((deadline) => invitations.deleteMany({ team_id: teamId, maker_key_id: keyId }, deadline));
    },

    async removeOfMember(teamId, memberHandle) {
      await call((deadline) =>
        invitations.deleteMany({ team_id: teamId, maker_handle: memberHandle }, deadline),
      );
    },
  };
}

function documentFrom(teamId: string, { invitation, secretHash }: StoredInvitation): InvitationDocument {
  return {
    _id: invitation.invitationId,
    team_id: teamId,
    team_slug: invitation.teamSlug,
    role: invitation.role,
    tier: invitation.tier,
    access: invitation.access,
    maker_id: invitation.makerId,
    maker_handle: invitation.makerHandle,
    maker_key_id: invitation.makerKeyId,
    secret_hash: secretHash,
    tried_names: 0,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}

function invitationFrom(document: InvitationDocument): Invitation {
  return {
    invitationId: document._id,
    teamId: document.team_id,
    teamSlug: document.team_slug,
    role: document.role,
    tier: document.tier,
    access: document.access,
    makerId: document.maker_id,
    makerHandle: document.maker_handle,
    makerKeyId: document.maker_key_id,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
  };
}
