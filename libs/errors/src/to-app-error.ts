import { AppError } from './app-error.ts';

/**
 * Makes an AppError of anything thrown. An AppError stays as it is, an abort
 * becomes `cancelled` (or `unavailable`, where a deadline caused it), and
 * everything foreign becomes `internal` with the original as its cause.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && thrown.name === 'TimeoutError') {
    return new AppError('unavailable', 'The service did not answer in time.', { cause: thrown });
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new AppError('cancelled', 'The call was cancelled.', { cause: thrown });
  }
  return new AppError('internal', 'Something went wrong on our side.', { cause: thrown });
}
