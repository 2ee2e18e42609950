import { AppError } from '@teammemory/errors/app-error.ts';
import type { RescoredPage, RescorePage } from '../domain/rescore.ts';
import type { VersionPosition } from '../domain/scored-row.ts';

/** A place among a team's rows, as page tokens carry it. It names nothing that an administrator may not see. */
const tokenPattern = /^(?<version>\d{1,9})\.(?<id>[0-9a-f-]{36})$/;

/**
 * Which rows are wanted; '' is the beginning.
 * @throws AppError `invalid_cursor`.
 */
export function rescorePageFromProto(request: { pageSize: number; pageToken: string }): RescorePage {
  const { pageSize, pageToken } = request;
  if (pageToken === '') return { pageSize, after: undefined };
  const { version, id } = tokenPattern.exec(pageToken)?.groups ?? {};
  if (version !== undefined && id !== undefined) return { pageSize, after: { version: Number(version), id } };
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.');
}

/** What became of a page. */
export function rescoredPageToProto({ rescored, next }: RescoredPage) {
  return { rescored, nextPageToken: next === undefined ? '' : tokenOf(next) };
}

function tokenOf({ version, id }: VersionPosition): string {
  return `${version}.${id}`;
}
