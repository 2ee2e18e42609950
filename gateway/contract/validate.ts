import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import type { z } from 'zod';

/** Places named in one answer; a body can be wrong in more. */
const violationsMax = 100;

/**
 * Checks a body or the parameters of a request.
 * @throws AppError `invalid_request` with a JSON Pointer to each wrong place.
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const violations = result.error.issues
    .slice(0, violationsMax)
    .map((issue): Violation => ({ pointer: pointerTo(issue.path), detail: issue.message }));
  throw new AppError('invalid_request', 'The request does not match its schema.', { violations });
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
