import { AppError } from '@teammemory/errors/app-error.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the id of a team that a request names. Whether there is such a team only auth knows; one that does not exist has no
 * rows, and rows that are written for it reach nobody.
 * @throws AppError `invalid_request` for what is not an id.
 */
export function teamIdFromProto(teamId: string): string {
  if (uuid.test(teamId)) return teamId;
  const detail = 'must be the id of a team, a UUID in lower case';
  throw new AppError('invalid_request', `The team_id ${detail}.`, {
    violations: [{ pointer: '/team_id', detail }],
  });
}

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
