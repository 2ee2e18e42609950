import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SkippedText, SkippedTextStore } from '../domain/tasks/skipped-texts.ts';

interface SkippedTextDocument {
  /** Team, kind and id in one text, so that a text cannot have two documents. */
  _id: string;
  team_id: string;
  kind: SkippedText['kind'];
  id: string;
  seq: number;
  reason: SkippedText['reason'];
  noticed_at: number;
}

/** Stores skipped texts in MongoDB, sharded by team. `SkippedTextStore` says what each method promises. */
export async function createMongoSkippedTextStore(connection: MongoConnection): Promise<SkippedTextStore> {
  const texts = connection.db.collection<SkippedTextDocument>('skipped_texts');
  await connection.ensureIndexes('skipped_texts', [{ key: { team_id: 1, kind: 1, id: 1 }, unique: true }]);
  return {
    async find(teamId, kind, ids) {
      const filter = { team_id: teamId, kind, id: { $in: [...ids] } };
      const found = await connection.call((deadline) => texts.find(filter, deadline).toArray());
      return new Map(found.map((document) => [document.id, textFrom(document)]));
    },
    async keep(teamId, { kind, id, seq, reason, noticedAtMs }) {
      const filter = { _id: idOf(teamId, kind, id), team_id: teamId, kind, id, seq: { $lt: seq } };
      const update = { $set: { seq, reason, noticed_at: noticedAtMs } };
      try {
        await connection.call((deadline) => texts.updateOne(filter, update, { ...deadline, upsert: true }));
      } catch (error) {
        // The upsert collides with the document of the same or a later version, which stays.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async forget(teamId, { kind, id, seq }) {
      const filter = { _id: idOf(teamId, kind, id), team_id: teamId, seq: { $lte: seq } };
      await connection.call((deadline) => texts.deleteOne(filter, deadline));
    },
    async list(teamId, after, limit) {
      const { kind, id } = after ?? { kind: '', id: '' };
      const filter = {
        team_id: teamId,
        $or: [
          { kind: kind as SkippedText['kind'], id: { $gt: id } },
          { kind: { $gt: kind as SkippedText['kind'] } },
        ],
      };
      const sort = { kind: 1, id: 1 } as const;
      const found = await connection.call((deadline) =>
        texts.find(filter, { ...deadline, sort, limit }).toArray(),
      );
      return found.map(textFrom);
    },
  };
}

function idOf(teamId: string, kind: string, id: string): string {
  return `${teamId}\n${kind}\n${id}`;
}

function textFrom({ kind, id, seq, reason, noticed_at }: SkippedTextDocument): SkippedText {
  return { kind, id, seq, reason, noticedAtMs: noticed_at };
}
