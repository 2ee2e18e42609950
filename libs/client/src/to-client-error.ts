import { ProblemError } from './problem-error.ts';
import { TransportError } from './transport-error.ts';

/**
 * Makes one of the two errors of this SDK of anything a call threw. `signal` is
 * the signal that governed the call: its reason tells a deadline from a caller
 * who went away, whatever shape the runtime gave the rejection.
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

/** fetch says only "fetch failed"; the system's code (ECONNREFUSED, ENOTFOUND) is in its cause. */
function reason(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
