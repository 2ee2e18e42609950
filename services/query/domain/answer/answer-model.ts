import type { TokenUsage } from '../spending/usage-store.ts';

/** What a model is given: who it is to be, and what it is asked. */
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
  /** What the call used so far, by the provider's own count, where it tells. */
  usage?: TokenUsage;
}

/**
 * Takes what came from the model. Where it answers a promise its reader has
 * not caught up, and is given nothing more until that resolves. It never
 * throws: who wants an end aborts the call's signal.
 */
export type TakeChunk = (chunk: ModelChunk) => Promise<void> | undefined;

/** A model that writes answers. It is never offered a tool. */
export interface AnswerModel {
  /** The name its prices are listed under. */
  name: string;
  /**
   * Asks the model, once, and gives what it writes as it comes. Resolves when
   * the model has said that it has finished.
   *
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
