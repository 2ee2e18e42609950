import { AppError } from '@teammemory/errors/app-error.ts';

/** The one refusal of keys and credentials, in the same words for every reason. */
export function invalidKey(): AppError {
  return new AppError('invalid_key', 'The API key is missing or not valid.');
}
