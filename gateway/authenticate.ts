import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyRequest } from 'fastify';
import type { Callers } from './caller.ts';
import { type KeyCaller, originOf } from './request.ts';
import { requireSameOrigin } from './session/same-origin.ts';
import { sessionOf } from './session/session-cookie.ts';

/**
 * Makes the first check of every request with a key.
 * @throws AppError `invalid_key`, `unavailable`.
 */
export function authenticateKey(callers: Callers, request: FastifyRequest): Promise<KeyCaller> {
  // Node uses the first of repeated headers, but a proxy may have checked the last, so repeated ones are refused.
  const given = request.raw.headersDistinct.authorization ?? [];
  return callers.authenticate(given.length === 1 ? given[0] : undefined, originOf(request));
}

/**
 * Returns the caller of a request with a session, which only pages of this origin may send.
 * @throws AppError `forbidden_origin`; `invalid_key` without a session, or with one that has ended; `unavailable`.
 */
export async function authenticateSession(callers: Callers, request: FastifyRequest): Promise<KeyCaller> {
  requireSameOrigin(request);
  const session = sessionOf(request);
  if (session === undefined) throw new AppError('invalid_key', 'Nobody is signed in.');
  return callers.authenticateSession(session, originOf(request));
}

/**
 * Makes the first two checks of every request below /api/v1: the key or, for a page of this service, the session is
 * valid, and X-Svc-Team names the team of the key. The team is not looked up, so a team that
 * does not exist gets the same answer as one of somebody else.
 * @throws AppError `invalid_key`, `team_forbidden`, `unavailable`.
 */
export async function authenticateRequest(callers: Callers, request: FastifyRequest): Promise<KeyCaller> {
  const hasSession = request.headers.authorization === undefined && sessionOf(request) !== undefined;
  const caller = await (hasSession ? authenticateSession : authenticateKey)(callers, request);
  if (request.headers['x-svc-team'] !== caller.teamSlug) {
    throw new AppError('team_forbidden', 'The header X-Svc-Team does not name the team of this key.');
  }
  return caller;
}
