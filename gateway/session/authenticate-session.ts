import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyRequest } from 'fastify';
import type { Callers, KeyCaller } from '../caller.ts';
import { originOf } from '../request.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sessionOf } from './session-cookie.ts';

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
