import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { principalKey, requireCaller, requireWriteAccess } from '@teammemory/rpc/auth/caller-context.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { DecisionAuthor } from '../domain/decisions/decision.ts';
import type { Reader } from '../domain/feed/feed-page.ts';

/** Administrators are not members and have no handle. */
const administrator: DecisionAuthor = { handle: 'administrator' };

/** Who writes for a team, and for which one. */
export interface TeamWriter {
  teamId: string;
  by: DecisionAuthor;
}

/**
 * Returns the caller who works on a team's decisions and projects: a member with a key of tier team, for their own team
 * whatever the message says, or an administrator, for the team that the message names.
 * @throws AppError `permission_denied` for everyone else, `unauthenticated`, `invalid_request` if an administrator names
 *   no team.
 */
export function requireTeamWriter(context: Pick<HandlerContext, 'values'>, namedTeamId: string): TeamWriter {
  if (isAdministrator(context)) return { teamId: teamIdFromProto(namedTeamId), by: administrator };
  const { teamId, tier, access, memberHandle: handle, memberId } = requireCaller(context);
  if (tier === 'team') return { teamId, by: { handle, memberId, access } };
  throw new AppError('permission_denied', 'This method is for keys of tier team.');
}

/**
 * As `requireTeamWriter`, for what changes something.
 * @throws AppError as `requireTeamWriter`; `forbidden_access` for a key that only reads.
 */
export function requireTeamChange(context: Pick<HandlerContext, 'values'>, namedTeamId: string): TeamWriter {
  const writer = requireTeamWriter(context, namedTeamId);
  requireWriteAccess(writer.by);
  return writer;
}

/**
 * Returns the caller's view: of their own team for members, of the team that the message names for administrators.
 * @throws AppError `unauthenticated`, `invalid_request` if an administrator names no team.
 */
export function requireTeamReader(context: HandlerContext, namedTeamId: string): Reader {
  if (isAdministrator(context)) return { teamId: teamIdFromProto(namedTeamId), tier: 'team' };
  return requireCaller(context);
}

function isAdministrator({ values }: Pick<HandlerContext, 'values'>): boolean {
  return values.get(principalKey)?.kind === 'administrator';
}
