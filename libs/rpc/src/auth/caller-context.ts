import { type ContextValues, createContextKey, type HandlerContext } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Caller, Principal, Scope } from './principal.ts';

/** Set by the authentication interceptor, read by the functions below. */
export const principalKey = createContextKey<Principal | undefined>(undefined, {
  description: 'who makes the call',
});

type WithValues = Pick<HandlerContext, 'values'>;

/**
 * The member who makes the call, from the verified token alone.
 * @throws AppError `unauthenticated` without a token, `permission_denied` for
 *   any other kind of caller.
 */
export function requireCaller(context: WithValues): Caller {
  const principal = requirePrincipal(context);
  if (principal.kind !== 'member') throw denied('This method is for members of a team.');
  return principal.caller;
}

/**
 * The member who makes the call through the gateway: for what only the gateway
 * limits per key.
 * @throws AppError as `requireCaller`, `permission_denied` also for a member who calls directly.
 */
export function requireGatewayCaller(context: WithValues): Caller {
  const principal = requirePrincipal(context);
  if (principal.kind === 'member' && principal.direct) {
    throw denied('Members reach this method through the public API only.');
  }
  return requireCaller(context);
}

/**
 * Refuses a caller whose key only reads, or only proposes.
 * @throws AppError `forbidden_access`.
 */
export function requireWriteAccess(caller: Partial<Pick<Caller, 'access'>>): void {
  requireProposeAccess(caller);
  if (caller.access !== 'propose') return;
  throw new AppError('forbidden_access', 'The access of this key is propose: it only proposes items.');
}

/**
 * Refuses a caller whose key only reads, where one that proposes is enough.
 * @throws AppError `forbidden_access`.
 */
export function requireProposeAccess({ access }: Partial<Pick<Caller, 'access'>>): void {
  if (access !== 'read') return;
  throw new AppError('forbidden_access', 'The access of this key is read: it changes nothing.');
}

/** Returns whether a caller accepts and declines what others propose: by a key of tier team with access write. */
export function isReviewer({ tier, access }: Pick<Caller, 'tier' | 'access'>): boolean {
  return tier === 'team' && access === 'write';
}

/**
 * Refuses everyone but administrators of the installation.
 * @throws AppError `unauthenticated` or `permission_denied`.
 */
export function requireAdministrator(context: WithValues): void {
  if (requirePrincipal(context).kind !== 'administrator') throw denied('This method is for administrators.');
}

/**
 * Returns the member who makes the call; undefined for an administrator of the installation.
 * @throws AppError `unauthenticated`, `permission_denied` for everyone else.
 */
export function callerOrAdministrator(context: WithValues): Caller | undefined {
  return requirePrincipal(context).kind === 'administrator' ? undefined : requireCaller(context);
}

/**
 * Returns the administrator of a team who makes the call; undefined for an administrator of the installation, who may
 * administer every team.
 * @throws AppError `unauthenticated`, `permission_denied` for everyone else.
 */
export function requireTeamAdministrator(context: WithValues): Caller | undefined {
  const principal = requirePrincipal(context);
  if (principal.kind === 'administrator') return undefined;
  if (principal.kind === 'member' && principal.caller.isTeamAdministrator) return principal.caller;
  throw denied('This method is for administrators, of the team or of the installation.');
}

/**
 * Refuses everyone but services that were given `scope` for a team. For every team other than theirs they get the same
 * answer, whether it exists or not.
 * @throws AppError `unauthenticated` or `permission_denied`.
 */
export function requireScope(context: WithValues, scope: Scope, teamId: string): void {
  const teams = requireAnyScope(context, scope);
  if (teams !== 'all' && !teams.includes(teamId)) throw scopeMissing(scope);
}

/**
 * Refuses everyone but services that were given `scope`, for whatever team; returns the ids of the teams, in order.
 * @throws AppError `unauthenticated` or `permission_denied`.
 */
export function requireAnyScope(context: WithValues, scope: Scope): 'all' | readonly string[] {
  const principal = requirePrincipal(context);
  if (principal.kind !== 'service') throw scopeMissing(scope);
  if (principal.scopes.includes(scope)) return 'all';
  const held = principal.scopes.filter((each) => each.startsWith(`${scope}@`));
  if (held.length === 0) throw scopeMissing(scope);
  return held.map((each) => each.slice(scope.length + 1)).sort();
}

function scopeMissing(scope: Scope): AppError {
  return denied(`This method needs the scope ${scope}, for this team or for all.`);
}

/**
 * Refuses everyone but administrators of the installation and services that were given `scope` for a team.
 * @throws AppError `unauthenticated` or `permission_denied`.
 */
export function requireScopeOrAdministrator(context: WithValues, scope: Scope, teamId: string): void {
  if (requirePrincipal(context).kind !== 'administrator') requireScope(context, scope, teamId);
}

/**
 * Refuses everyone but the gateway of this installation; a service of others that took its name calls `direct`.
 * @throws AppError `unauthenticated` or `permission_denied`.
 */
export function requireGateway(context: WithValues): void {
  const principal = requirePrincipal(context);
  if (principal.kind !== 'service' || principal.direct || principal.name !== 'gateway') {
    throw denied('This method is for the gateway of this installation.');
  }
}

function requirePrincipal(context: WithValues): Principal {
  const principal = context.values.get(principalKey);
  if (principal === undefined) {
    throw new AppError('unauthenticated', 'The caller token is missing or not valid.');
  }
  return principal;
}

function denied(message: string): AppError {
  return new AppError('permission_denied', message);
}

/** The caller as the log names it, without members' names. */
export interface CallerFields {
  key_id?: string;
  /** Slug of the team. */
  team?: string;
  /** Name of a service, or `administrator` with the operator's name. */
  caller?: string;
}

/** Returns the log fields of a call's caller; none without a valid token. */
export function callerFields(values: ContextValues): CallerFields {
  const principal = values.get(principalKey);
  if (principal === undefined) return {};
  if (principal.kind === 'member') return { key_id: principal.caller.keyId, team: principal.caller.teamSlug };
  return { caller: principal.kind === 'service' ? principal.name : `administrator:${principal.name}` };
}
