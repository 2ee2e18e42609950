import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { requireProposeAccess, requireWriteAccess } from '@teammemory/rpc/auth/caller-context.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { BodyLimits } from './bodies/body-limits.ts';
import { parseJsonBody } from './bodies/json-body.ts';
import {
  type BodyBounds,
  bodyEncoding,
  bodyReading,
  declaredBytes,
  type ReceivedBody,
  tooLarge,
} from './bodies/read-body.ts';
import type { DeclaredBounds, Operation } from './contract/operation.ts';
import type { MountedRoute } from './mount-operations.ts';
import { quotaHeaders } from './rate-limit/http-limits.ts';
import { holderOf } from './request.ts';
import type { RouteDependencies } from './route-dependencies.ts';

/** A body that is sent where none belongs is ignored, up to the size that a client may send by habit. */
const ignoredBody: BodyBounds = {
  maxBytes: 4 * 1024,
  maxValues: Number.POSITIVE_INFINITY,
  maxLevels: Number.POSITIVE_INFINITY,
};

/** What the checks before a handler depend on. */
export type CheckedOperation = Pick<Operation, 'method' | 'access' | 'writes' | 'quota'> & {
  body?: { bounds: DeclaredBounds };
};

/** Lets the routes of a scope take bodies; outside of such a scope no route does. */
export function acceptJsonBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/json', async (request: FastifyRequest) => request.reading.read());
}

/** The limits of requests per key. */
type Limiters = Pick<
  RouteDependencies,
  'itemWrites' | 'questions' | 'searches' | 'scans' | 'snapshots' | 'signInLinks'
>;

/** Adds to a handler the checks before it and the headers of its limit on every answer. */
export function checkedRoute(
  handler: RouteHandlerMethod,
  { method, access, writes, body, quota }: CheckedOperation,
  limits: BodyLimits & Limiters,
): MountedRoute {
  const { maxBodyBytes, budget, refused } = limits;
  const limiters: Record<NonNullable<Operation['quota']>, RateLimiter> = {
    'item-writes': limits.itemWrites,
    questions: limits.questions,
    searches: limits.searches,
    scans: limits.scans,
    snapshots: limits.snapshots,
    'sign-in-links': limits.signInLinks,
  };
  const bounds = body?.bounds ?? ignoredBody;
  const maxBytes = Math.min(bounds.maxBytes ?? maxBodyBytes, maxBodyBytes);

  function prepareReading(request: FastifyRequest, reply: FastifyReply): void {
    const holder = holderOf(request);
    // Where no body belongs none is decoded.
    const encoding = body === undefined ? undefined : bodyEncoding(request.headers['content-encoding']);
    request.reading = bodyReading({
      payload: request.raw,
      bounds: { ...bounds, maxBytes },
      encoding,
      holder,
      budget,
    });
    reply.raw.once('close', request.reading.release);
  }

  async function parseBody(request: FastifyRequest): Promise<void> {
    const received = (request.body ?? undefined) as ReceivedBody | undefined;
    if (received?.isHeavy) await request.reading.takeTurn();
    request.body = await parseJsonBody(received);
  }

  async function account(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Without a valid key no limit applies.
    if (request.caller === undefined) return;
    const { keyId, itemWritesPerMinute } = request.caller;
    if (body !== undefined) {
      // The client sends the declared bytes even if they are not read but discarded. Decoding may have made more of them.
      const bytes = Math.max(declaredBytes(request.raw) ?? 0, request.reading?.received ?? 0);
      refused.charge(keyId, reply.statusCode, bytes);
    }
    // A request that was counted has them already.
    if (quota === undefined || reply.hasHeader('ratelimit')) return;
    const ownLimit = quota === 'item-writes' ? itemWritesPerMinute : undefined;
    reply.headers(quotaHeaders(quota, await limiters[quota].quota(keyId, ownLimit)));
  }

  return {
    handler,
    onRequest: (request, reply, done) => {
      if (access === 'team key') refuseExternalKey(request);
      requireAccess(writes, request);
      if (body !== undefined) refused.check(request.caller.keyId, reply);
      refuseUnreadableBody(request, maxBytes, body !== undefined);
      if (method !== 'GET') prepareReading(request, reply);
      done();
    },
    // Most routes, pages above all, need neither.
    ...(body !== undefined && { preValidation: parseBody }),
    ...((body !== undefined || quota !== undefined) && { onSend: account }),
  };
}

function refuseExternalKey(request: FastifyRequest): void {
  if (request.caller.tier === 'team') return;
  throw new AppError('forbidden_tier', 'This endpoint requires a key of tier team.');
}

function requireAccess(writes: Operation['writes'], { caller }: FastifyRequest): void {
  if (writes === 'proposals') requireProposeAccess(caller);
  else if (writes !== undefined) requireWriteAccess(caller);
  if (writes === 'reviews' && caller.access !== 'write') {
    throw new AppError('forbidden_access', 'Reviewers have a key with access write.');
  }
}

/** Refuses a body by its headers, before it is read: by its size first, then by its encoding. */
function refuseUnreadableBody({ raw, headers }: FastifyRequest, maxBytes: number, takesBody: boolean): void {
  if ((declaredBytes(raw) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoding = bodyEncoding(headers['content-encoding']);
  if (encoding === undefined || takesBody) return;
  throw new AppError('unsupported_media_type', 'This endpoint takes no body, and so no content encoding.');
}
