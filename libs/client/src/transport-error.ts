/**
 * Why no proper answer of the service arrived: the caller cancelled, a deadline
 * passed, the connection failed, or what came is not what the contract says.
 */
export type TransportErrorCode = 'cancelled' | 'timed_out' | 'unreachable' | 'invalid_answer';

/** The call failed on its way. `message` is for people and names no secret; `cause` is for a log. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.code = code;
  }
}
