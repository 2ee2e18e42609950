import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Tier } from '../domain/passages/passage.ts';
import { type PassageStore, passageForm, type StoredItem } from '../domain/passages/passage-store.ts';

interface PassageDocument {
  team_id: string;
  row_key: string;
  seq: number;
  tier: Tier;
  passages_json: string;
  /** Absent in rows of earlier versions. */
  writer_id?: string | null;
  /** Absent in rows of earlier versions. */
  form?: number;
  /** The seq that was written in this form; a version that knows no forms moves `seq` alone. */
  form_seq?: number;
  /** Identity of content's data from which it was made. Absent in rows of earlier versions. */
  data_id?: string;
}

interface CursorDocument {
  /** The team's id. */
  _id: string;
  /** As of earlier versions, which know no forms. */
  seq: number;
  /** By form. */
  seqs?: Record<string, number>;
  /** Identity of content's data that was followed. Absent in cursors of earlier versions. */
  data_id?: string;
}

/** Rows that the server sends at once: some may have 1 MiB, and those beyond a page are sent in vain. */
const rowsPerBatch = 16;

/** Opens the store of passages in MongoDB, ensuring its indexes. */
export async function createMongoPassageStore({
  db,
  call,
  ensureIndexes,
}: MongoConnection): Promise<PassageStore> {
  const passages = db.collection<PassageDocument>('passages');
  const cursors = db.collection<CursorDocument>('cursors');
  await ensureIndexes('passages', [
    { key: { team_id: 1, row_key: 1 }, name: 'item', unique: true },
    { key: { team_id: 1, seq: 1 }, name: 'seq' },
  ]);

  /** Inserts where `upsert` says so, and replaces rows that show an older state, or the same in another form. */
  async function replaceOlder(
    teamId: string,
    items: readonly StoredItem[],
    how: { upsert: boolean; dataId: string | undefined },
  ): Promise<void> {
    const { upsert, dataId } = how;
    const operations = items.map((item) => ({
      updateOne: {
        filter: {
          team_id: teamId,
          row_key: item.rowKey,
          $or: [
            { seq: { $lt: item.seq } },
            { seq: item.seq, form: { $ne: passageForm } },
            { seq: item.seq, form_seq: { $ne: item.seq } },
          ],
        },
        update: {
          $set: {
            seq: item.seq,
            tier: item.tier,
            passages_json: item.json,
            writer_id: item.writerId ?? null,
            form: passageForm,
            form_seq: item.seq,
            ...(dataId && { data_id: dataId }),
          },
        },
        upsert,
      },
    }));
    await call((deadline) => passages.bulkWrite(operations, { ordered: false, ...deadline }));
  }

  return {
    async cursor(teamId) {
      const document = await call((deadline) => cursors.findOne({ _id: teamId }, deadline));
      return document?.seqs?.[passageForm] ?? 0;
    },

    async advanceCursor(teamId, seq) {
      const advance = () =>
        call((deadline) =>
          cursors.updateOne(
            { _id: teamId },
            { $max: { seq, [`seqs.${passageForm}`]: seq } },
            { upsert: true, ...deadline },
          ),
        );
      // Two that insert the first cursor of a team at once: the one that came second finds it now.
      await advance().catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return advance();
      });
    },

    async teams(afterTeamId, limit) {
      const after = { _id: { $gt: afterTeamId } };
      const documents = await call((deadline) =>
        cursors
          .find(after, { ...deadline, projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map(({ _id }) => _id);
    },

    async claim(teamId, dataId, ahead) {
      const known = await call((deadline) => cursors.findOne({ _id: teamId }, deadline));
      const canStay = ahead === undefined && (known?.data_id ?? dataId) === dataId;
      if (!canStay) {
        // What another process has already made from the present data stays.
        const isOther = [{ data_id: { $ne: dataId } }, ...(ahead ? [{ seq: { $gt: ahead.ofSeq } }] : [])];
        await call((deadline) => passages.deleteMany({ team_id: teamId, $or: isOther }, deadline));
      }
      const change = canStay
        ? { $set: { data_id: dataId } }
        : { $set: { data_id: dataId, seq: 0 }, $unset: { seqs: '' as const } };
      await call((deadline) => cursors.updateOne({ _id: teamId }, change, { upsert: true, ...deadline }));
      return canStay;
    },

    async replaceItems(teamId, items, dataId) {
      if (items.length === 0) return;
      try {
        await replaceOlder(teamId, items, { upsert: true, dataId });
      } catch (error) {
        if (!isDuplicateKey(error, 'item')) throw error;
        // The row is there: either with a newer state, which stays, or inserted just now by another
        // process with an older one, which this replaces.
        await replaceOlder(teamId, items, { upsert: false, dataId });
      }
    },

    async changesAfter(teamId, afterSeq, page) {
      return call(async (deadline) => {
        const cursor = passages
          .find({ team_id: teamId, seq: { $gt: afterSeq } }, deadline)
          .sort({ seq: 1 })
          .batchSize(Math.min(rowsPerBatch, page.rows));
        const found: StoredItem[] = [];
        let characters = 0;
        for await (const { row_key, seq, tier, passages_json: json, writer_id, form, form_seq } of cursor) {
          // Left out here, where it costs a start after an upgrade a little, rather than by another index.
          if (form !== passageForm || form_seq !== seq) continue;
          found.push({ rowKey: row_key, seq, tier, json, ...(writer_id && { writerId: writer_id }) });
          characters += json.length;
          if (found.length >= page.rows || characters >= page.characters) break;
        }
        return found;
      });
    },

    async findItem(teamId, rowKey) {
      const filter = { team_id: teamId, row_key: rowKey };
      const row = await call((deadline) => passages.findOne(filter, deadline));
      if (row === null || row.form !== passageForm || row.form_seq !== row.seq) return undefined;
      return { rowKey, seq: row.seq, tier: row.tier, json: row.passages_json };
    },

    async writersOf(teamId, rowKeys) {
      const filter = { team_id: teamId, row_key: { $in: [...rowKeys] } };
      const projection = { _id: 0, row_key: 1, writer_id: 1 };
      const documents = await call((deadline) =>
        passages.find(filter, { ...deadline, projection }).toArray(),
      );
      const known = documents.filter(({ writer_id }) => typeof writer_id === 'string');
      return new Map(known.map(({ row_key, writer_id }) => [row_key, writer_id as string]));
    },
  };
}
