import type { EmbeddingPlace, EmbeddingStore, StoredEmbedding } from './embedding-store.ts';

/** A store in memory, for tests of the domain; the contract suite holds for it too. */
export function embeddingStoreInMemory(): EmbeddingStore {
  const teams = new Map<string, Map<string, StoredEmbedding>>();
  const rowsOf = (teamId: string) => teams.getOrInsertComputed(teamId, () => new Map());
  const keyOf = ({ rowKey, digest }: EmbeddingPlace) => JSON.stringify([rowKey, digest]);
  return {
    async ofItems(teamId, rowKeys) {
      return structuredClone(
        rowsOf(teamId)
          .values()
          .filter(({ rowKey }) => rowKeys.includes(rowKey))
          .toArray(),
      );
    },
    async save(teamId, embeddings) {
      for (const embedding of embeddings) rowsOf(teamId).set(keyOf(embedding), structuredClone(embedding));
    },
    async remove(teamId, places) {
      for (const place of places) rowsOf(teamId).delete(keyOf(place));
    },
  };
}
