import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { EmbeddingStore } from '../domain/embedding/embedding-store.ts';
import { vectorFromBytes, vectorToBytes } from './vector-bytes.ts';

/** Statements that `createSqliteEmbeddingStore` needs to have run. */
export const sqliteEmbeddingSchema = `
  CREATE TABLE IF NOT EXISTS embeddings (
    team_id TEXT NOT NULL,
    row_key TEXT NOT NULL,
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    vector BLOB NOT NULL CHECK (length(vector) = 4 * dimension),
    PRIMARY KEY (team_id, row_key, digest)
  ) STRICT, WITHOUT ROWID;`;

interface EmbeddingRow {
  digest: string;
  model: string;
  vector: Uint8Array;
}

/** Makes the store of embeddings in an SQLite file. */
export function createSqliteEmbeddingStore(database: SqliteDatabase): EmbeddingStore {
  const select = database.prepare(
    'SELECT digest, model, vector FROM embeddings WHERE team_id = ? AND row_key = ?',
  );
  const upsert = database.prepare(
    `INSERT INTO embeddings (team_id, row_key, digest, model, dimension, vector) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, row_key, digest) DO UPDATE
     SET model = excluded.model, dimension = excluded.dimension, vector = excluded.vector`,
  );
  const removeItem = database.prepare('DELETE FROM embeddings WHERE team_id = ? AND row_key = ?');
  const remove = database.prepare('DELETE FROM embeddings WHERE team_id = ? AND row_key = ? AND digest = ?');

  return {
    async ofItems(teamId, rowKeys) {
      return rowKeys.flatMap((rowKey) => {
        const rows = select.all(teamId, rowKey) as unknown as EmbeddingRow[];
        return rows.map(({ digest, model, vector }) => {
          return { rowKey, digest, model, vector: vectorFromBytes(vector) };
        });
      });
    },

    async save(teamId, embeddings) {
      await database.write(() => {
        for (const { rowKey, digest, model, vector } of embeddings) {
          upsert.run(teamId, rowKey, digest, model, vector.length, vectorToBytes(vector));
        }
      });
    },

    async erase(teamId, rowKeys) {
      await database.writeWithReserve(() => {
        for (const rowKey of rowKeys) removeItem.run(teamId, rowKey);
      });
      await database.scrub();
    },

    async remove(teamId, places) {
      await database.writeWithReserve(() => {
        for (const { rowKey, digest } of places) remove.run(teamId, rowKey, digest);
      });
    },
  };
}
