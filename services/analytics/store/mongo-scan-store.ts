import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { ScanStore } from '../domain/scans.ts';
import { putDocument, ratedBeforeFilter } from './mongo-documents.ts';
import { oldestKept, ratedScanFromRow, type ScanRow, scanFromRow, scanToRow } from './stored-rows.ts';

interface ScanDocument extends ScanRow {
  /** The scan's id. */
  _id: string;
  team_id: string;
  created_at: number;
  updated_at: number;
}

const withoutLists = { contributions_json: 0, issues_json: 0 } as const;

/** Creates the store of scans in MongoDB and ensures its indexes. */
export async function createMongoScanStore(connection: MongoConnection): Promise<ScanStore> {
  const { db, call } = connection;
  const scans = db.collection<ScanDocument>('scans');
  await connection.ensureIndexes('scans', [
    { key: { team_id: 1, codebase_id: 1, head_sha: 1 }, name: 'commit', unique: true },
    { key: { team_id: 1, version: 1, _id: 1 }, name: 'version' },
    { key: { team_id: 1, codebase_id: 1, _id: 1, bytes: 1 }, name: 'age' },
  ]);

  return {
    put(teamId, scan, at) {
      const { codebase_id, head_sha, ...rest } = scanToRow(scan);
      return putDocument(
        connection,
        scans,
        { team_id: teamId, codebase_id, head_sha },
        {
          $set: { ...rest, updated_at: at },
          $inc: { revision: 1 },
          $setOnInsert: { _id: scan.id, created_at: at },
        },
      );
    },

    async keepNewest(teamId, codebaseId, most) {
      const ofCodebase = { team_id: teamId, codebase_id: codebaseId };
      const rows = await call((deadline) =>
        scans
          .find(ofCodebase, { ...deadline, projection: { bytes: 1 } })
          .sort({ _id: -1 })
          .limit(most.scans + 1)
          .toArray(),
      );
      const oldest = oldestKept(rows, most);
      if (oldest === undefined) return;
      const old = { ...ofCodebase, _id: { $lt: oldest._id } };
      await call((deadline) => scans.deleteMany(old, deadline));
    },

    async find(teamId, codebaseId, headSha) {
      const filter = { team_id: teamId, codebase_id: codebaseId, head_sha: headSha };
      const document = await call((deadline) => scans.findOne(filter, deadline));
      return document === null ? undefined : scanFromRow(document._id, document);
    },

    async list(teamId, codebaseId, beforeId, limit) {
      const ofCodebase = { team_id: teamId, codebase_id: codebaseId };
      const filter = beforeId === '' ? ofCodebase : { ...ofCodebase, _id: { $lt: beforeId } };
      const documents = await call((deadline) =>
        scans
          .find(filter, { ...deadline, projection: withoutLists })
          .sort({ _id: -1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map((document) => ({
        ...ratedScanFromRow(document._id, document),
        createdAt: document.created_at,
      }));
    },

    async ratedBefore(teamId, version, after, limit) {
      const documents = await call((deadline) =>
        scans
          .find(ratedBeforeFilter(teamId, version, after), { ...deadline, projection: withoutLists })
          .sort({ version: 1, _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map((document) => ratedScanFromRow(document._id, document));
    },

    async rescore(teamId, rescored) {
      const operations = rescored.map(({ id, revision, version, agenticScore }) => ({
        updateOne: {
          filter: { _id: id, team_id: teamId, revision },
          update: { $set: { version, agentic_score: agenticScore } },
        },
      }));
      const result = await call((deadline) => scans.bulkWrite(operations, { ordered: false, ...deadline }));
      return result.matchedCount;
    },
  };
}
