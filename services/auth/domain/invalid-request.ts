import { AppError } from '@teammemory/errors/app-error.ts';

/** The error for one field that breaks its rule; `pointer` is a JSON Pointer such as `/slug`. */
export function invalidRequest(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `${pointer.slice(1)}: ${detail}`, {
    violations: [{ pointer, detail }],
  });
}
