import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { maxPageMarks, type TeamMarkStore } from '../domain/feed/team-marks.ts';

interface MarkDocument {
  /** The team. */
  _id: string;
  team_id: string;
  /** By the clock of the server. */
  marked_at: Date;
}

/** Stores marks in MongoDB, unsharded, by one clock. `TeamMarkStore` says what each method promises. */
export async function createMongoTeamMarkStore(connection: MongoConnection): Promise<TeamMarkStore> {
  const marks = connection.db.collection<MarkDocument>('team_marks');
  await connection.ensureIndexes('team_marks', [{ key: { marked_at: 1 } }]);
  return {
    async mark(teamId) {
      const filter = { _id: teamId, team_id: teamId };
      const update = { $currentDate: { marked_at: true } } as const;
      const write = () =>
        connection.call((deadline) => marks.updateOne(filter, update, { ...deadline, upsert: true }));
      await write().catch((error: unknown) => {
        // Another process made the document at the same time; now it exists.
        if (!isDuplicateKey(error)) throw error;
        return write();
      });
    },
    async after(at) {
      const filter = { marked_at: { $gt: new Date(at) } };
      const options = { sort: { marked_at: 1 }, limit: maxPageMarks } as const;
      const found = await connection.call((deadline) =>
        marks.find(filter, { ...deadline, ...options }).toArray(),
      );
      return found.map(({ _id, marked_at }) => ({ teamId: _id, at: marked_at.getTime() }));
    },
    async newestAt() {
      const newest = await connection.call((deadline) =>
        marks.findOne({}, { ...deadline, sort: { marked_at: -1 } }),
      );
      return newest?.marked_at.getTime() ?? 0;
    },
  };
}
