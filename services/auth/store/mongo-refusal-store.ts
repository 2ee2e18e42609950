import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { Refusal, RefusalStore } from '../domain/refusals.ts';

interface RefusalDocument {
  /** The refusal's id. */
  _id: string;
  team_id: string;
  member_id: string;
  member_handle: string;
  key_id: string;
  request: string;
  code: string;
  detail: string;
  row_key: string;
  at: number;
}

/** Creates the store of refusals in MongoDB and ensures its indexes. */
export async function createMongoRefusalStore(connection: MongoConnection): Promise<RefusalStore> {
  const { db, call, ensureIndexes } = connection;
  const refusals = db.collection<RefusalDocument>('refusals');
  await ensureIndexes('refusals', [{ key: { team_id: 1, at: 1, _id: 1 }, name: 'age' }]);

  return {
    async add(teamId, added, maxOfTeam) {
      if (added.length > 0) {
        const documents = added.map((refusal) => documentFrom(teamId, refusal));
        await call((deadline) => refusals.insertMany(documents, deadline));
      }
      const newestFirst = { sort: { at: -1, _id: -1 }, skip: maxOfTeam } as const;
      await removeFound(connection, refusals, { team_id: teamId }, newestFirst);
    },

    async list(teamId, memberId, limit) {
      const filter = { team_id: teamId, ...(memberId === undefined ? {} : { member_id: memberId }) };
      const documents = await call((deadline) =>
        refusals.find(filter, deadline).sort({ at: -1, _id: -1 }).limit(limit).toArray(),
      );
      return documents.map(refusalFrom);
    },
  };
}

function documentFrom(teamId: string, refusal: Refusal): RefusalDocument {
  const { refusalId, memberId, memberHandle, keyId, request, code, detail, rowKey, at } = refusal;
  return {
    _id: refusalId,
    team_id: teamId,
    member_id: memberId,
    member_handle: memberHandle,
    key_id: keyId,
    request,
    code,
    detail,
    at,
    row_key: rowKey,
  };
}

function refusalFrom(document: RefusalDocument): Refusal {
  const { request, code, detail, at } = document;
  return {
    refusalId: document._id,
    memberId: document.member_id,
    memberHandle: document.member_handle,
    keyId: document.key_id,
    request,
    code,
    detail,
    at,
    rowKey: document.row_key,
  };
}
