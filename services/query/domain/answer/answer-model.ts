import type { TokenUsage } from '../spending/usage-store.ts';

/** The text for a model: its role and the question. */
export interface ModelPrompt {
  system: string;
  user: string;
}

/** Something that came from the model. */
export interface ModelChunk {
  /** More of its text; may be empty. */
  text: string;
  /** Bytes of all that it wrote with this, what is not shown (its reasoning) included. */
  writtenBytes: number;
  /** The usage of the call so far as the provider counts it, if it does. */
  usage?: TokenUsage;
}

/**
 * Takes a chunk from the model. If it returns a promise, the reader has not caught up, and it must not be called again
 * until the promise resolves. It never throws; to stop the call, abort its signal.
 */
export type TakeChunk = (chunk: ModelChunk) => Promise<void> | undefined;

/** A model that writes answers. It is never offered a tool. */
export interface AnswerModel {
  /** The name its prices are listed under. */
  name: string;
  /**
   * Asks the model once and passes on what it writes as it arrives. Resolves when the model says that it has finished.
   * @throws AnswerModelFailure where nothing came at all, AppError `unavailable`
   *   where it ended too early, and the signal's reason when that aborts, in
   *   which case the call is broken off at once.
   */
  write(
    prompt: ModelPrompt,
    options: { maxOutputTokens: number; take: TakeChunk; signal: AbortSignal },
  ): Promise<void>;
}

/** A call to a model that failed before the model answered anything. */
export class AnswerModelFailure extends Error {
  /** Whether the model may have begun to work, so that the call may cost something. */
  readonly begun: boolean;
  /** When it makes sense to try again, in milliseconds; undefined where it does not. */
  readonly retryAfterMs: number | undefined;

  /** `message` and `cause` go to the log: nothing that the server wrote may stand there. */
  constructor(
    message: string,
    options: { begun: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AnswerModelFailure';
    this.begun = options.begun;
    this.retryAfterMs = options.retryAfterMs;
  }
}
