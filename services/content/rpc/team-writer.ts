import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { principalKey, requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Author } from '../domain/team-decision.ts';
import { teamIdFromProto } from './team-id-proto.ts';

/** Administrators are no members and have no handle. */
const administrator: Author = { handle: 'administrator' };

/** Who writes what a team decides, and for which team. */
export interface TeamWriter {
  teamId: string;
  by: Author;
}

/**
 * The one who may write a team's decisions and projects: a member with a key of
 * tier team, for the own team whatever the message says, or an administrator,
 * for the team that the message names.
 * @throws AppError `permission_denied` for everyone else, `unauthenticated`,
 *   `invalid_request` where an administrator names no team.
 */
export function requireTeamWriter(context: Pick<HandlerContext, 'values'>, namedTeamId: string): TeamWriter {
  if (context.values.get(principalKey)?.kind === 'administrator') {
    return { teamId: teamIdFromProto(namedTeamId), by: administrator };
  }
  const { teamId, tier, memberHandle: handle, memberId } = requireCaller(context);
  if (tier === 'team') return { teamId, by: { handle, memberId } };
  throw new AppError('permission_denied', 'This method is for keys of tier team.');
}
