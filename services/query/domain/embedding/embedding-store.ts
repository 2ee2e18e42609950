/** Which text of which item a vector stands for. */
export interface EmbeddingPlace {
  rowKey: string;
  /** Of the text that was embedded, see `embeddingDigest`. */
  digest: string;
}

/** A text of an item as a vector. */
export interface StoredEmbedding extends EmbeddingPlace {
  /** The name of the model that made the vector. */
  model: string;
  vector: Float32Array;
}

/**
 * Keeps the vectors of passages by team, item and text: what moves inside its
 * item needs no new one. A text has one vector, the one saved last.
 *
 * Every method throws AppError `unavailable` when the store cannot be reached
 * in time.
 */
export interface EmbeddingStore {
  /** All vectors of these items, in no order. */
  ofItems(teamId: string, rowKeys: readonly string[]): Promise<StoredEmbedding[]>;
  /** Saves vectors durably, in place of those that the same texts had. Can be repeated, by any number of processes. */
  save(teamId: string, embeddings: readonly StoredEmbedding[]): Promise<void>;
  /** Removes vectors; nothing happens for one that is not there. */
  remove(teamId: string, places: readonly EmbeddingPlace[]): Promise<void>;
}
