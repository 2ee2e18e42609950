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
