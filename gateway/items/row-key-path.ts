import { AppError } from '@teammemory/errors/app-error.ts';

/**
 * Returns the row_key of a path, decoded once from the raw URL, so that `%2525`
 * becomes `%25`. Slashes may be encoded or not. The URL may begin with the host
 * (RFC 9112, absolute form).
 * @throws AppError `not_found` if it cannot be decoded: no item has that name.
 */
export function rowKeyFrom(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1);
  const encoded = path.split('/').slice(4).join('/');
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new AppError('not_found', 'There is no such item.', { cause });
  }
}
