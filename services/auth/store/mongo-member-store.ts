import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Member, MemberRole, MemberStore } from '../domain/members.ts';

interface MemberDocument {
  /** The member's id. */
  _id: string;
  team_id: string;
  handle: string;
  role: MemberRole;
  created_at: number;
}

/** Creates the store of members in MongoDB and ensures its indexes. */
export async function createMongoMemberStore({
  db,
  call,
  ensureIndexes,
}: MongoConnection): Promise<MemberStore> {
  const members = db.collection<MemberDocument>('members');
  await ensureIndexes('members', [{ key: { team_id: 1, handle: 1 }, name: 'handle', unique: true }]);

  return {
    async add(teamId, member) {
      try {
        await call((deadline) => members.insertOne(documentFrom(teamId, member), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'The team has a member with this handle already.', {
          cause: error,
        });
      }
    },

    async findByHandle(teamId, handle) {
      const document = await call((deadline) => members.findOne({ team_id: teamId, handle }, deadline));
      return document ? memberFrom(document) : undefined;
    },

    async setRole(teamId, handle, role) {
      const document = await call((deadline) =>
        members.findOneAndUpdate(
          { team_id: teamId, handle },
          { $set: { role } },
          { returnDocument: 'after', ...deadline },
        ),
      );
      return document ? memberFrom(document) : undefined;
    },

    async hasAdministrator(teamId) {
      const filter = { team_id: teamId, role: 'admin' } as const;
      return (await call((deadline) => members.findOne(filter, deadline))) !== null;
    },

    async remove(teamId, handle) {
      const { deletedCount } = await call((deadline) =>
        members.deleteOne({ team_id: teamId, handle }, deadline),
      );
      return deletedCount > 0;
    },

    async list(teamId, afterHandle, limit) {
      const filter = { team_id: teamId, handle: { $gt: afterHandle } };
      const documents = await call((deadline) =>
        members.find(filter, deadline).sort({ handle: 1 }).limit(limit).toArray(),
      );
      return documents.map(memberFrom);
    },
  };
}

function documentFrom(teamId: string, { memberId, handle, role, createdAt }: Member): MemberDocument {
  return { _id: memberId, team_id: teamId, handle, role, created_at: createdAt };
}

function memberFrom({ _id, handle, role, created_at }: MemberDocument): Member {
  return { memberId: _id, handle, role, createdAt: created_at };
}
