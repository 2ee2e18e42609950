import { AppError } from '@teammemory/errors/app-error.ts';
import { requireWriteAccess } from '@teammemory/rpc/auth/caller-context.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { BodyBudget } from './bodies/body-budget.ts';
import { bodyEncoding } from './bodies/body-decoder.ts';
import { parseJsonBody } from './bodies/json-body.ts';
import {
  type BodyBounds,
  bodyReading,
  declaredBytes,
  type ReceivedBody,
  tooLarge,
} from './bodies/read-body.ts';
import type { RefusedRequests } from './bodies/refused-requests.ts';
import { authenticateRequest, type Callers } from './caller.ts';
import { codebaseRoutes } from './codebases/routes.ts';
import type { Operation, QuotaPolicy } from './contract/operation.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { compressAnswers } from './encoding/compress-answers.ts';
import { eventRoutes } from './events/routes.ts';
import { itemRoutes } from './items/routes.ts';
import { metricRoutes } from './metrics/routes.ts';
import { type Handlers, type MountedRoute, mountOperations } from './mount-operations.ts';
import type { OpenConnections } from './open-connections.ts';
import { apiOperations } from './operations.ts';
import { projectRoutes } from './projects/routes.ts';
import { queryRoutes } from './query/routes.ts';
import { quotaHeaders } from './rate-limit/http-limits.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import { taskRoutes } from './tasks/routes.ts';
import { whoamiRoutes } from './whoami/routes.ts';

/** Bounds of request bodies. */
interface BodyLimits {
  /** Bytes of the largest body of any route. */
  maxBodyBytes: number;
  budget: BodyBudget;
  refused: RefusedRequests;
}

/** A body that is sent where none belongs is ignored, up to the size that a client may send by habit. */
const ignoredBody: BodyBounds = {
  maxBytes: 4 * 1024,
  maxValues: Number.POSITIVE_INFINITY,
  maxLevels: Number.POSITIVE_INFINITY,
};

/**
 * Mounts every operation below /api/v1 that takes a key. Checks run in the order
 * of docs/contract.md, "Errors": key, team, path and method, tier, access, body, limits.
 * Each check is an `onRequest` hook of this scope, and hooks run in the order in
 * which they are added. No byte of a body is read before them.
 */
export function apiRoutes(
  dependencies: RouteDependencies &
    BodyLimits & { callers: Callers; connections: OpenConnections; hasCors: boolean },
) {
  const handlers: Handlers<typeof apiOperations> = {
    ...itemRoutes(dependencies),
    ...taskRoutes(dependencies),
    ...decisionRoutes(dependencies),
    ...projectRoutes(dependencies),
    ...eventRoutes(dependencies),
    ...queryRoutes(dependencies),
    ...codebaseRoutes(dependencies),
    ...metricRoutes(dependencies),
    ...whoamiRoutes(dependencies),
  };
  const limiters: Record<QuotaPolicy, RateLimiter> = {
    'item-writes': dependencies.itemWrites,
    questions: dependencies.questions,
    scans: dependencies.scans,
    snapshots: dependencies.snapshots,
  };
  return async (api: FastifyInstance): Promise<void> => {
    api.addHook('onRequest', async (request, reply) => {
      request.caller = await authenticateRequest(dependencies.callers, request);
      dependencies.connections.trust(request, reply);
      if (request.is404) throw new AppError('not_found', 'There is no such path.');
    });
    compressAnswers(api, dependencies.compressor);
    api.setNotFoundHandler(() => undefined);
    if (dependencies.hasCors) {
      // The CORS package has a route for OPTIONS of every path, outside of this scope and its checks.
      api.options('/*', async () => {
        throw new AppError('not_found', 'There is no such path.');
      });
    }
    // In this scope only: outside it no route takes a body.
    api.addContentTypeParser('application/json', async (request: FastifyRequest) => request.reading.read());
    mountOperations(api, apiOperations, (name, operation) =>
      checkedRoute(handlers[name], operation, { limiters, ...dependencies }),
    );
  };
}

/** Adds to a handler the checks before it and the headers of its limit on every answer. */
function checkedRoute(
  handler: RouteHandlerMethod,
  { method, access, writes, body, quota }: Operation,
  limits: BodyLimits & { limiters: Record<QuotaPolicy, RateLimiter> },
): MountedRoute {
  const { limiters, maxBodyBytes, budget, refused } = limits;
  const bounds = body?.bounds ?? ignoredBody;
  const maxBytes = Math.min(bounds.maxBytes ?? maxBodyBytes, maxBodyBytes);

  function prepareReading(request: FastifyRequest, reply: FastifyReply): void {
    const { caller, ip: address } = request;
    const holder = { teamId: caller.teamId, keyId: caller.keyId, address };
    // Where no body belongs none is decoded.
    const encoding = body === undefined ? undefined : bodyEncoding(request.headers['content-encoding']);
    request.reading = bodyReading({
      ...{ payload: request.raw, bounds: { ...bounds, maxBytes }, encoding, holder, budget },
    });
    reply.raw.once('close', request.reading.release);
  }

  return {
    handler,
    onRequest: async (request, reply) => {
      if (access === 'team key') refuseExternalKey(request);
      if (writes) requireWriteAccess(request.caller);
      if (body !== undefined) refused.check(request.caller.keyId, reply);
      refuseUnreadableBody(request, maxBytes, body !== undefined);
      if (method !== 'GET') prepareReading(request, reply);
    },
    preValidation: async (request) => {
      if (body === undefined) return;
      const received = (request.body ?? undefined) as ReceivedBody | undefined;
      if (received?.isHeavy) await request.reading.takeTurn();
      request.body = await parseJsonBody(received);
    },
    onSend: async (request, reply) => {
      // Without a valid key no limit applies.
      if (request.caller === undefined) return;
      const { keyId, itemWritesPerMinute } = request.caller;
      // The client sends the declared bytes even if they are not read but discarded. Decoding may have made more of them.
      const bytes = Math.max(declaredBytes(request.raw) ?? 0, request.reading?.received ?? 0);
      if (body !== undefined) refused.charge(keyId, reply.statusCode, bytes);
      // A request that was counted has them already.
      if (quota === undefined || reply.hasHeader('ratelimit')) return;
      const ownLimit = quota === 'item-writes' ? itemWritesPerMinute : undefined;
      reply.headers(quotaHeaders(quota, await limiters[quota].quota(keyId, ownLimit)));
    },
  };
}

function refuseExternalKey(request: FastifyRequest): void {
  if (request.caller.tier === 'team') return;
  throw new AppError('forbidden_tier', 'This endpoint requires a key of tier team.');
}

/** Refuses a body by its headers, before it is read: by its size first, then by its encoding. */
function refuseUnreadableBody({ raw, headers }: FastifyRequest, maxBytes: number, takesBody: boolean): void {
  if ((declaredBytes(raw) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoding = bodyEncoding(headers['content-encoding']);
  if (encoding === undefined || takesBody) return;
  throw new AppError('unsupported_media_type', 'This endpoint takes no body, and so no content encoding.');
}
