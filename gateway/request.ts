import { randomUUID } from 'node:crypto';
import { saneRequestId } from '@teammemory/rpc/request-id.ts';
import type { FastifyRequest } from 'fastify';
import type { BodyReading } from './bodies/read-body.ts';
import type { KeyCaller } from './caller.ts';
import type { CallOrigin } from './clients.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every route below /api/v1 before anything else runs. */
    caller: KeyCaller;
    /** The body; set on every route except GET, by the last check before it is read. */
    reading: BodyReading;
  }
}

/** Returns the client's request id if it is valid, else a new one. Logs and answers contain it. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return saneRequestId(header) ?? randomUUID();
}

/** Returns where a request comes from, for the calls that are made for it. */
export function originOf({ id, ip }: FastifyRequest): CallOrigin {
  return { requestId: id, clientAddress: ip };
}

/** Returns the log fields that identify a request and its caller; no caller before the key is known to be valid. */
export function requestFields({ id, caller }: FastifyRequest): {
  request_id: string;
  key_id?: string;
  team?: string;
} {
  if (caller === undefined) return { request_id: id };
  return { request_id: id, key_id: caller.keyId, team: caller.teamSlug };
}
