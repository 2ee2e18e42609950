/** A call to an embedding model that gave no vectors. */
export class EmbeddingFailure extends Error {
  /** Whether the model may have worked, so that the call may cost something. */
  readonly begun: boolean;
  /** Whether the server took offence at the texts themselves, so that others, or fewer, may pass. */
  readonly refused: boolean;
  /** Whether it was given up for taking too long; fewer texts may take less. */
  readonly timedOut: boolean;
  /** How long the server wants to be left alone, in milliseconds; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  /** `message` and `cause` go to the log: nothing that the server wrote may stand there. */
  constructor(
    message: string,
    options: {
      begun: boolean;
      refused?: boolean;
      timedOut?: boolean;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EmbeddingFailure';
    this.begun = options.begun;
    this.refused = options.refused ?? false;
    this.timedOut = options.timedOut ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

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
