import { AppError } from '@teammemory/errors/app-error.ts';

/**
 * Returns the page size that a request asks for; 0 stands for the default of its list.
 * @throws AppError `invalid_request` where it is above the maximum that the proto of the list documents.
 */
export function pageSizeFromProto(
  pageSize: number,
  maximum: number,
  field: 'page_size' | 'limit' | 'page.limit' = 'page_size',
): number {
  if (pageSize <= maximum) return pageSize;
  const detail = `must be at most ${maximum}`;
  throw new AppError('invalid_request', `${field}: ${detail}.`, {
    violations: [{ pointer: `/${field.replace('.', '/')}`, detail }],
  });
}
