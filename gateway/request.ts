import { randomUUID } from 'node:crypto';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { saneRequestId } from '@teammemory/rpc/request-id.ts';
import type { FastifyRequest } from 'fastify';
import type { BodyReading } from './bodies/read-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; there on every route below /api/v1, set before anything else runs. */
    caller: Caller;
    /** The body, on every route that is not a GET; prepared by the last check before it is read. */
    reading: BodyReading;
  }
}

/** The caller's own request id where it is sane, else a new one: it stands in logs and answers. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return saneRequestId(header) ?? randomUUID();
}

/** Which request it is and who asks, as the log names them; nobody before the key is known to be good. */
export function requestFields({ id, caller }: FastifyRequest): {
  request_id: string;
  key_id?: string;
  team?: string;
} {
  if (caller === undefined) return { request_id: id };
  return { request_id: id, key_id: caller.keyId, team: caller.teamSlug };
}
