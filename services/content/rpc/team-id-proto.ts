import { AppError } from '@teammemory/errors/app-error.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The team that an administrator names. Teams are the auth service's: whether
 * there is one of this id is not known here, and rows of none reach nobody.
 * @throws AppError `invalid_request` for what is no id.
 */
export function teamIdFromProto(teamId: string): string {
  if (uuid.test(teamId)) return teamId;
  const detail = 'must be the id of a team, a UUID in lower case';
  throw new AppError('invalid_request', `The team_id ${detail}.`, {
    violations: [{ pointer: '/team_id', detail }],
  });
}
