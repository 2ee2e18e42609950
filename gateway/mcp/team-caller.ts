import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyRequest } from 'fastify';
import { authenticateKey, type Callers, isAccessToken } from '../caller.ts';
import type { KeyCaller } from '../request.ts';
import { endpointPath, originOf } from './resource-metadata.ts';

/**
 * Returns the caller of a request whose key is valid and whose path or X-Svc-Team names the team of the key; neither may
 * name another one. The access token of an app needs no name of a team, because it is for this resource alone. The team is
 * not looked up: one that does not exist gets the same answer as one of somebody else.
 * @throws AppError `invalid_key`, `team_forbidden`, `unavailable`.
 */
export async function authenticateForTeam(callers: Callers, request: FastifyRequest): Promise<KeyCaller> {
  const caller = await authenticateKey(callers, request, resourceOf(request));
  const named = [teamOfPath(request), request.headers['x-svc-team']].filter((team) => team !== undefined);
  const isNamed = named.length > 0 || isAccessToken(request.headers.authorization);
  if (isNamed && named.every((team) => team === caller.teamSlug)) return caller;
  throw new AppError(
    'team_forbidden',
    'Neither the path nor the header X-Svc-Team names the team of this key.',
  );
}

/** Returns the URL of the endpoint that a request is sent to, whose Host was checked. */
function resourceOf(request: FastifyRequest): string {
  const host = URL.parse(`http://${request.headers.host}`)?.host ?? '';
  return `${originOf(request, { host, name: host })}${endpointPath(teamOfPath(request))}`;
}

/** Returns the team that the path names, if it names one: `/mcp/` is `/mcp`. */
export function teamOfPath({ params }: FastifyRequest): string | undefined {
  return (params as { team?: string }).team || undefined;
}
