import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { callerOrAdministrator, requireTeamAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import type { KeyOwners } from '../domain/keys.ts';
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
  return teamOf(teams, requireTeamAdministrator(context), teamSlug);
}

/**
 * Returns the team that a call names: for a member only the own one.
 * @throws AppError `not_found`, the same for a team of others as for none.
 */
export async function teamOf(
  teams: Pick<Teams, 'get'>,
  caller: Caller | undefined,
  teamSlug: string,
): Promise<Team> {
  if (caller !== undefined && caller.teamSlug !== teamSlug) throw noSuchTeam();
  return teams.get(teamSlug);
}

/**
 * Returns who makes a call about keys (undefined: an administrator of the installation), and whose keys these may be. Members
 * who administer nothing look after their own, with a key of tier team and access write: one that was handed to a guest or
 * an agent for less must not make other keys.
 * @throws AppError `unauthenticated`, `permission_denied`.
 */
export function requireKeyHolder(context: Pick<HandlerContext, 'values'>): {
  caller: Caller | undefined;
  administers: boolean;
  owners: KeyOwners;
} {
  const caller = callerOrAdministrator(context);
  if (caller === undefined) return { caller, administers: true, owners: {} };
  const { teamId, memberId, isTeamAdministrator } = caller;
  if (isTeamAdministrator) return { caller, administers: true, owners: { teamId } };
  if (mayMakeKeys(caller)) return { caller, administers: false, owners: { teamId, memberId } };
  throw new AppError('permission_denied', 'Keys are made with a key of tier team and access write.');
}

/**
 * Returns who makes a call that lists or revokes keys, and whose: with a key that makes none, those of the apps that it let
 * act.
 * @throws AppError `unauthenticated`.
 */
export function requireKeyOwner(context: Pick<HandlerContext, 'values'>): {
  caller: Caller | undefined;
  owners: KeyOwners;
} {
  const caller = callerOrAdministrator(context);
  if (caller === undefined || mayMakeKeys(caller)) return requireKeyHolder(context);
  const { teamId, memberId, keyId: makerKeyId } = caller;
  return { caller, owners: { teamId, memberId, makerKeyId } };
}

function mayMakeKeys({ tier, access, isTeamAdministrator }: Caller): boolean {
  return isTeamAdministrator === true || (tier === 'team' && access === 'write');
}

/**
 * Returns which sort of administrator makes a call.
 * @throws AppError `unauthenticated`, `permission_denied`.
 */
export function changedBy(context: Pick<HandlerContext, 'values'>): ChangedBy {
  return requireTeamAdministrator(context) === undefined ? 'installation' : 'team';
}
