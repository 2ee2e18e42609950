import { AppError } from '@teammemory/errors/app-error.ts';

/** Where the next page of versions begins, as a token; '' where there is none. */
export function tokenFromRevision(nextRevision: number): string {
  return nextRevision === 0 ? '' : String(nextRevision);
}

/** The revision that a page token names, 0 for none. Throws AppError `invalid_cursor`. */
export function revisionFromToken(token: string): number {
  if (token === '') return 0;
  if (!/^[1-9]\d{0,14}$/.test(token)) throw new AppError('invalid_cursor', 'The page token is not ours.');
  return Number(token);
}
