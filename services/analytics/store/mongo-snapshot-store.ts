import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SnapshotStore } from '../domain/snapshots.ts';
import { putDocument, ratedBeforeFilter } from './mongo-documents.ts';
import {
  countedFromJson,
  countedToJson,
  placementToRow,
  type SnapshotRow,
  snapshotFromRow,
  snapshotToRow,
} from './stored-rows.ts';

interface SnapshotDocument extends SnapshotRow {
  /** The snapshot's id. */
  _id: string;
  team_id: string;
  created_at: number;
  updated_at: number;
}

const dayFields = { member_id: 1, date: 1, counted_json: 1 } as const;

/** Creates the store of snapshots in MongoDB and ensures its indexes. */
export async function createMongoSnapshotStore(connection: MongoConnection): Promise<SnapshotStore> {
  const { db, call } = connection;
  const snapshots = db.collection<SnapshotDocument>('snapshots');
  await connection.ensureIndexes('snapshots', [
    { key: { team_id: 1, member_id: 1, date: 1, metric: 1 }, name: 'key', unique: true },
    { key: { team_id: 1, metric: 1, date: 1, _id: 1 }, name: 'day' },
    { key: { team_id: 1, version: 1, _id: 1 }, name: 'version' },
  ]);

  return {
    async put(teamId, snapshot, { at, counts, maxOfMember }) {
      const { member_id, date, metric, ...rest } = snapshotToRow(snapshot);
      const key = { team_id: teamId, member_id, date, metric };
      const known = await call((deadline) => snapshots.findOne(key, { projection: { _id: 1 }, ...deadline }));
      if (known === null) {
        const ofMember = { team_id: teamId, member_id };
        const rows = await call((deadline) =>
          snapshots.countDocuments(ofMember, { limit: maxOfMember, ...deadline }),
        );
        if (rows === maxOfMember) return undefined;
      }
      const counted = counts ? { counted_json: countedToJson(snapshot) } : {};
      return putDocument(connection, snapshots, key, {
        $set: { ...rest, ...counted, updated_at: at },
        $inc: { revision: 1 },
        $setOnInsert: { _id: snapshot.id, created_at: at },
      });
    },

    async find(teamId, { memberId, date, metric }) {
      const filter = { team_id: teamId, member_id: memberId, date, metric };
      const document = await call((deadline) => snapshots.findOne(filter, deadline));
      return document === null ? undefined : snapshotFromRow(document._id, document);
    },

    async list(teamId, { memberId, metric }, beforeDate, limit) {
      const ofMember = { team_id: teamId, member_id: memberId, metric };
      const filter = beforeDate === '' ? ofMember : { ...ofMember, date: { $lt: beforeDate } };
      const documents = await call((deadline) =>
        snapshots.find(filter, deadline).sort({ date: -1 }).limit(limit).toArray(),
      );
      return documents.map((document) => snapshotFromRow(document._id, document));
    },

    async counted(teamId, { metric, to, after, limit }) {
      const later = [{ date: after.date, _id: { $gt: after.id } }, { date: { $gt: after.date, $lte: to } }];
      const documents = await call((deadline) =>
        snapshots
          .find(
            { team_id: teamId, metric, date: { $lte: to }, counted_json: { $exists: true }, $or: later },
            { ...deadline, projection: dayFields },
          )
          .sort({ date: 1, _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map(({ _id, member_id, date, counted_json }) => {
        return { id: _id, memberId: member_id, date, measured: countedFromJson(counted_json as string) };
      });
    },

    async ratedBefore(teamId, version, after, limit) {
      const documents = await call((deadline) =>
        snapshots
          .find(ratedBeforeFilter(teamId, version, after), deadline)
          .sort({ version: 1, _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map((document) => snapshotFromRow(document._id, document));
    },

    async rescore(teamId, rescored) {
      const operations = rescored.map(({ id, revision, version, canonical }) => ({
        updateOne: {
          filter: { _id: id, team_id: teamId, revision },
          update: { $set: { version, ...placementToRow(canonical) } },
        },
      }));
      const result = await call((deadline) =>
        snapshots.bulkWrite(operations, { ordered: false, ...deadline }),
      );
      return result.matchedCount;
    },
  };
}
