import type { FastifyRequest } from 'fastify';

/** Which request it is and who asks, as the log names them; nobody before the key is known to be good. */
export function requestFields({ id, caller }: FastifyRequest): {
  request_id: string;
  key_id?: string;
  team?: string;
} {
  if (caller === undefined) return { request_id: id };
  return { request_id: id, key_id: caller.keyId, team: caller.teamSlug };
}
