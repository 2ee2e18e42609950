import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SignInAddress, SignInAddressStore } from '../domain/sign-in-addresses.ts';

interface SignInAddressDocument {
  team_id: string;
  address: string;
  member_id: string;
  member_handle: string;
  created_at: number;
}

/** Creates the store of sign-in addresses in MongoDB and ensures its indexes. */
export async function createMongoSignInAddressStore({
  db,
  call,
  ensureIndexes,
}: MongoConnection): Promise<SignInAddressStore> {
  const addresses = db.collection<SignInAddressDocument>('sign_in_addresses');
  await ensureIndexes('sign_in_addresses', [
    { key: { team_id: 1, address: 1 }, name: 'address', unique: true },
  ]);

  return {
    async add(teamId, { address, memberId, memberHandle, createdAt }) {
      const names = { team_id: teamId, address, member_id: memberId, member_handle: memberHandle };
      try {
        await call((deadline) => addresses.insertOne({ ...names, created_at: createdAt }, deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'The team has this address already.', { cause: error });
      }
    },

    async find(teamId, address) {
      const document = await call((deadline) => addresses.findOne({ team_id: teamId, address }, deadline));
      return document ? addressFrom(document) : undefined;
    },

    async remove(teamId, address) {
      const { deletedCount } = await call((deadline) =>
        addresses.deleteOne({ team_id: teamId, address }, deadline),
      );
      return deletedCount > 0;
    },

    async removeOfMember(teamId, memberHandle) {
      await call((deadline) =>
        addresses.deleteMany({ team_id: teamId, member_handle: memberHandle }, deadline),
      );
    },

    async list(teamId, afterAddress, limit) {
      const filter = { team_id: teamId, address: { $gt: afterAddress } };
      const documents = await call((deadline) =>
        addresses.find(filter, deadline).sort({ address: 1 }).limit(limit).toArray(),
      );
      return documents.map(addressFrom);
    },
  };
}

function addressFrom(document: SignInAddressDocument): SignInAddress {
  return {
    address: document.address,
    memberId: document.member_id,
    memberHandle: document.member_handle,
    createdAt: document.created_at,
  };
}
