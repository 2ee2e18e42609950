import type { HandlerContext } from '@connectrpc/connect';
import { requireTeamAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { ChangedBy } from '../domain/members.ts';
import { noSuchTeam, type Team, type Teams } from '../domain/teams.ts';

/**
 * Returns the team that a call names, if the caller may administer it: an administrator of the installation every team,
 * one of a team only this one. Any other team gets the answer of one that does not exist.
 * @throws AppError `unauthenticated`, `permission_denied`, `not_found`.
 */
export async function administeredTeam(
  teams: Pick<Teams, 'get'>,
  context: Pick<HandlerContext, 'values'>,
  teamSlug: string,
): Promise<Team> {
  const caller = requireTeamAdministrator(context);
  if (caller !== undefined && caller.teamSlug !== teamSlug) throw noSuchTeam();
  return teams.get(teamSlug);
}

/**
 * Returns which sort of administrator makes a call.
 * @throws AppError `unauthenticated`, `permission_denied`.
 */
export function changedBy(context: Pick<HandlerContext, 'values'>): ChangedBy {
  return requireTeamAdministrator(context) === undefined ? 'installation' : 'team';
}
