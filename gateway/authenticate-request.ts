import { AppError } from '@teammemory/errors/app-error.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import type { FastifyRequest } from 'fastify';
import type { Callers } from './caller.ts';

/**
 * The first two checks of every request below /api/v1: whose key it is, and
 * whether X-Svc-Team names that key's team. A team is never looked up, so one
 * that does not exist cannot be told from someone else's.
 * @throws AppError `invalid_key`, `team_forbidden`, `unavailable`.
 */
export async function authenticateRequest(callers: Callers, request: FastifyRequest): Promise<Caller> {
  // Of a repeated header Node keeps the first, a proxy may have checked the last: two are as good as none.
  const given = request.raw.headersDistinct.authorization ?? [];
  const caller = await callers.authenticate(given.length === 1 ? given[0] : undefined);
  if (request.headers['x-svc-team'] !== caller.teamSlug) {
    throw new AppError('team_forbidden', 'The header X-Svc-Team does not name the team of this key.');
  }
  return caller;
}
