import { ProblemError } from './problem-error.ts';

/** The caller cancelled, a deadline passed, the connection failed, or the answer breaks the contract. */
export type TransportErrorCode = 'cancelled' | 'timed_out' | 'unreachable' | 'invalid_answer';

/** No valid answer arrived. `message` is for people and contains no secret; `cause` is for a log. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.code = code;
  }
}

/**
 * Turns anything that a call threw into one of the two errors of the public API. `signal` is the signal of the call:
 * its reason tells a deadline from a caller who cancelled, whatever the runtime threw.
 */
export function toClientError(thrown: unknown, signal: AbortSignal): ProblemError | TransportError {
  if (thrown instanceof ProblemError || thrown instanceof TransportError) return thrown;
  if (isTimeout(thrown) || (signal.aborted && isTimeout(signal.reason))) {
    return new TransportError('timed_out', 'The service did not answer in time.', thrown);
  }
  if (signal.aborted) return new TransportError('cancelled', 'The call was cancelled.', thrown);
  return new TransportError('unreachable', `The service cannot be reached${reason(thrown)}.`, thrown);
}

function isTimeout(value: unknown): boolean {
  return value instanceof Error && value.name === 'TimeoutError';
}

/** `fetch` says only "fetch failed"; the cause has the system's code, such as ECONNREFUSED. */
function reason(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
