import type { HandlerContext } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { requireAdministrator, requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';

/**
 * Returns the calling member, whose key must be of tier team.
 * @throws AppError `forbidden_tier` for an external one; as `requireCaller`.
 */
export function requireTeamCaller(context: Pick<HandlerContext, 'values'>): Caller {
  const caller = requireCaller(context);
  if (caller.tier === 'team') return caller;
  throw new AppError('forbidden_tier', 'Codebases and metrics are for keys of tier team.');
}

/**
 * Returns the team of a call: an administrator names it, a member belongs to one.
 * @throws AppError as `requireAdministrator` where one is named, else as `requireTeamCaller`; `invalid_request` for what is
 *   not the id of a team.
 */
export function teamOf(context: Pick<HandlerContext, 'values'>, namedTeamId: string): string {
  if (namedTeamId === '') return requireTeamCaller(context).teamId;
  requireAdministrator(context);
  return teamIdFromProto(namedTeamId);
}
