import { AppError } from '@teammemory/errors/app-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as JSON. Keys such as `__proto__` become plain members: front
 * matter is data.
 * @throws AppError `invalid_json`, for no body at all too.
 */
export function parseJsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) throw new AppError('invalid_json', 'The request has no body.');
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not UTF-8 JSON.', { cause });
  }
}
