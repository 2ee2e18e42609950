import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { EmbeddingStore, StoredEmbedding } from '../domain/embedding/embedding-store.ts';
import { vectorFromBytes, vectorToBytes } from './vector-bytes.ts';

interface EmbeddingDocument {
  team_id: string;
  row_key: string;
  digest: string;
  model: string;
  dimension: number;
  vector: Uint8Array;
}

/** Opens the store of embeddings in MongoDB, ensuring its index. */
export async function createMongoEmbeddingStore({
  db,
  call,
  ensureIndexes,
}: MongoConnection): Promise<EmbeddingStore> {
  const embeddings = db.collection<EmbeddingDocument>('embeddings');
  await ensureIndexes('embeddings', [
    { key: { team_id: 1, row_key: 1, digest: 1 }, name: 'passage', unique: true },
  ]);

  async function upsert(teamId: string, saved: readonly StoredEmbedding[]): Promise<void> {
    const operations = saved.map(({ rowKey, digest, model, vector }) => ({
      updateOne: {
        filter: { team_id: teamId, row_key: rowKey, digest },
        update: { $set: { model, dimension: vector.length, vector: vectorToBytes(vector) } },
        upsert: true,
      },
    }));
    await call((deadline) => embeddings.bulkWrite(operations, { ordered: false, ...deadline }));
  }

  return {
    async ofItems(teamId, rowKeys) {
      const filter = { team_id: teamId, row_key: { $in: [...rowKeys] } };
      const documents = await call((deadline) =>
        embeddings.find(filter, { promoteBuffers: true, ...deadline }).toArray(),
      );
      return documents.map(({ row_key, digest, model, vector }) => {
        return { rowKey: row_key, digest, model, vector: vectorFromBytes(vector) };
      });
    },

    async save(teamId, saved) {
      if (saved.length === 0) return;
      // Two that insert the same row at once: the one that came second finds it now.
      await upsert(teamId, saved).catch((error: unknown) => {
        if (!isDuplicateKey(error, 'passage')) throw error;
        return upsert(teamId, saved);
      });
    },

    async erase(teamId, rowKeys) {
      const filter = { team_id: teamId, row_key: { $in: [...rowKeys] } };
      await call((deadline) => embeddings.deleteMany(filter, deadline));
    },

    async remove(teamId, places) {
      if (places.length === 0) return;
      const operations = places.map(({ rowKey, digest }) => ({
        deleteOne: { filter: { team_id: teamId, row_key: rowKey, digest } },
      }));
      await call((deadline) => embeddings.bulkWrite(operations, { ordered: false, ...deadline }));
    },
  };
}
