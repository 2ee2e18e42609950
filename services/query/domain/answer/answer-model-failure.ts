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
