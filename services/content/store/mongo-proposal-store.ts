import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import {
  fitting,
  type ProposalFilter,
  type ProposalStore,
  type Proposer,
} from '../domain/proposals/proposal.ts';
import { proposalFromStored, type StoredProposal, storedProposal } from './stored-proposal.ts';

/** Lists leave out the texts. */
const short = { _id: 0, item: 0 } as const;

/** Stores proposals in MongoDB, sharded by team. `ProposalStore` says what each method promises. */
export async function createMongoProposalStore(connection: MongoConnection): Promise<ProposalStore> {
  const { call } = connection;
  const proposals = connection.db.collection<StoredProposal>('proposals');
  await connection.ensureIndexes('proposals', [
    { key: { team_id: 1, proposal_id: 1 }, unique: true },
    { key: { team_id: 1, place: 1 } },
    { key: { team_id: 1, state: 1, place: 1 } },
    { key: { team_id: 1, member_id: 1, place: 1 } },
    {
      key: { team_id: 1, member_id: 1, by_guest: 1, row_key: 1 },
      name: 'waiting',
      partialFilterExpression: { state: 'waiting' },
    },
    {
      key: { team_id: 1, member_id: 1, by_guest: 1, row_key: 1, checksum: 1 },
      name: 'declined',
      partialFilterExpression: { state: 'declined' },
    },
    { key: { decided_at: 1 }, name: 'decided', partialFilterExpression: { decided_at: { $gt: 0 } } },
  ]);
  const byProposer = (teamId: string, { memberId, byGuest }: Proposer) =>
    ({ team_id: teamId, member_id: memberId, by_guest: byGuest ? 1 : 0 }) as const;
  const ofProposer = (teamId: string, proposer: Proposer) =>
    ({ ...byProposer(teamId, proposer), state: 'waiting' }) as const;
  const rowsOf = (filter: Filter<StoredProposal>) =>
    call((deadline) => proposals.find(filter, { ...deadline, projection: short }).toArray());

  return {
    async waiting(teamId, proposer, rowKeys) {
      const rows = await rowsOf({ ...ofProposer(teamId, proposer), row_key: { $in: [...rowKeys] } });
      return new Map(rows.map(proposalFromStored).map((proposal) => [proposal.rowKey, proposal]));
    },
    async declined(teamId, proposer, texts) {
      if (texts.length === 0) return [];
      const these = texts.map(({ rowKey, checksum, tier }) => ({ row_key: rowKey, checksum, tier }));
      const filter = { ...byProposer(teamId, proposer), state: 'declined' as const, $or: these };
      return (await rowsOf(filter)).map(proposalFromStored);
    },
    async propose(teamId, proposer, made, share) {
      const filter = ofProposer(teamId, proposer);
      const projection = { _id: 0, row_key: 1, bytes: 1 };
      const sizes = await call((deadline) =>
        proposals
          .find(filter, { ...deadline, projection })
          .limit(share.texts)
          .toArray(),
      );
      const known = new Map(sizes.map(({ row_key, bytes }) => [row_key, bytes]));
      const stored = fitting(known, made, share);
      const full = new Set(made.filter((each) => !stored.includes(each)).map(({ rowKey }) => rowKey));
      const replacements = stored.map(
        (proposal): AnyBulkWriteOperation<StoredProposal> => ({
          replaceOne: {
            filter: { ...filter, row_key: proposal.rowKey },
            replacement: storedProposal(teamId, proposal),
            upsert: true,
          },
        }),
      );
      if (replacements.length > 0) {
        await call((deadline) => proposals.bulkWrite(replacements, { ...deadline, ordered: false }));
      }
      // Of several batches at once some may be too many; what they added is removed again.
      const added = stored.filter(({ rowKey }) => !known.has(rowKey));
      const count = await call((deadline) =>
        proposals.countDocuments(filter, { ...deadline, limit: share.texts + added.length }),
      );
      const tooMany = count > share.texts ? added.slice(share.texts - count) : [];
      for (const { proposalId, rowKey } of tooMany) {
        const those = { team_id: teamId, proposal_id: proposalId };
        await call((deadline) => proposals.deleteOne(those, deadline));
        full.add(rowKey);
      }
      return full;
    },
    async find(teamId, proposalId) {
      const filter = { team_id: teamId, proposal_id: proposalId };
      const document = await call((deadline) => proposals.findOne(filter, deadline));
      return document === null ? undefined : proposalFromStored(document);
    },
    async list(teamId, filter, { before, limit }) {
      const range = before === undefined ? {} : { place: { $lt: before } };
      const those = { team_id: teamId, ...filterOf(filter), ...range };
      const options = { projection: short, sort: { place: -1 } as const, limit };
      const documents = await call((deadline) =>
        proposals.find(those, { ...deadline, ...options }).toArray(),
      );
      return documents.map(proposalFromStored);
    },
    async decide(teamId, proposal, from) {
      const filter = { team_id: teamId, proposal_id: proposal.proposalId, state: { $in: [...from] } };
      const { matchedCount } = await call((deadline) =>
        proposals.replaceOne(filter, storedProposal(teamId, proposal), deadline),
      );
      return matchedCount === 1;
    },
    async withdraw(teamId, proposalId) {
      const filter = { team_id: teamId, proposal_id: proposalId, state: 'waiting' as const };
      const { deletedCount } = await call((deadline) => proposals.deleteOne(filter, deadline));
      return deletedCount === 1;
    },
    async countOf(teamId, handle) {
      const count = (filter: Filter<StoredProposal>) =>
        call((deadline) => proposals.countDocuments({ team_id: teamId, ...filter }, deadline));
      return { proposals: await count({ proposed_by: handle }), reasons: await count(reasonsOf(handle)) };
    },
    async eraseOf(teamId, handle) {
      await call((deadline) => proposals.deleteMany({ team_id: teamId, proposed_by: handle }, deadline));
      const reasons = { team_id: teamId, ...reasonsOf(handle) };
      await call((deadline) => proposals.updateMany(reasons, { $set: { reason: '' } }, deadline));
    },
    async removeDecided(beforeMs, limit) {
      const old = { decided_at: { $gt: 0, $lt: beforeMs } };
      const found = await call((deadline) =>
        proposals
          .find(old, { ...deadline, projection: { team_id: 1, proposal_id: 1 } })
          .limit(limit)
          .toArray(),
      );
      if (found.length === 0) return 0;
      const those = found.map(({ team_id, proposal_id }) => ({ team_id, proposal_id }));
      const { deletedCount } = await call((deadline) => proposals.deleteMany({ $or: those }, deadline));
      return deletedCount;
    },
  };
}

function filterOf({ state, memberId, guestsOnly }: ProposalFilter): Filter<StoredProposal> {
  return {
    ...(state !== undefined && { state }),
    ...(memberId !== undefined && { member_id: memberId }),
    ...(guestsOnly && { by_guest: 1 }),
  };
}

function reasonsOf(handle: string) {
  return { decided_by: handle, reason: { $gt: '' } };
}
