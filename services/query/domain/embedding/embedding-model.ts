/** Texts as vectors, and what making them took. */
export interface Embeddings {
  /** One for each text, in their order: of unit length, all of the same dimension, every number finite. */
  vectors: readonly Float32Array[];
  /** Tokens read, by the provider's own count, where it tells. */
  inputTokens?: number;
}

/** A model that turns texts into vectors, which point alike where texts mean alike. */
export interface EmbeddingModel {
  /** The name its price is listed under; vectors of different models do not compare. */
  name: string;
  /**
   * Embeds texts, in one call. A call is broken off at once when the signal aborts.
   * @throws EmbeddingFailure, and the signal's reason when that aborts.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}
