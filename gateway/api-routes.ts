import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { authenticateRequest } from './authenticate-request.ts';
import type { Callers } from './caller.ts';
import { apiOperations } from './contract/api-operations.ts';
import type { Operation, QuotaPolicy } from './contract/operation.ts';
import { parseJsonBody } from './json-body.ts';
import { type MountedRoute, mountOperations } from './mount-operations.ts';
import { setQuotaHeaders } from './rate-limit/rate-limit-headers.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import { askQuestion } from './routes/ask-question.ts';
import { deleteItem } from './routes/delete-item.ts';
import { listDecisions } from './routes/list-decisions.ts';
import { listItems } from './routes/list-items.ts';
import { listProjects } from './routes/list-projects.ts';
import { listTasks } from './routes/list-tasks.ts';
import { pushItems } from './routes/push-items.ts';
import { pushScan } from './routes/push-scan.ts';
import { pushSnapshot } from './routes/push-snapshot.ts';
import type { RouteContext } from './routes/route-context.ts';

/** What the table below has a handler for. */
type Handlers = Record<keyof typeof apiOperations, RouteHandlerMethod>;

/**
 * Everything below /api/v1 that takes a key: a handler for each operation of
 * the contract. The order of checks is that of decisions §2: key, team, path
 * and method, tier, body, limits. It holds because each check is an `onRequest`
 * hook of this scope, and hooks run in the order they are added.
 */
export function apiRoutes(options: RouteContext & { callers: Callers; maxBodyBytes: number }) {
  const handlers: Handlers = {
    listItems: listItems(options),
    pushItems: pushItems(options),
    deleteItem: deleteItem(options),
    listTasks: listTasks(options),
    listDecisions: listDecisions(options),
    listProjects: listProjects(options),
    askQuestion: askQuestion(options),
    pushScan: pushScan(options),
    pushSnapshot: pushSnapshot(options),
  };
  const limiters: Record<QuotaPolicy, RateLimiter> = {
    'item-writes': options.itemWrites,
    scans: options.scans,
    snapshots: options.snapshots,
  };
  return async (api: FastifyInstance): Promise<void> => {
    api.addHook('onRequest', async (request) => {
      request.caller = await authenticateRequest(options.callers, request);
      if (request.is404) throw new AppError('not_found', 'There is no such path.');
    });
    api.setNotFoundHandler(() => undefined);
    mountOperations(api, apiOperations, (name, operation) =>
      checkedRoute(handlers[name], operation, { limiters, maxBodyBytes: options.maxBodyBytes }),
    );
  };
}

/** A handler with the checks that come before it, and the headers of its limit on every answer. */
function checkedRoute(
  handler: RouteHandlerMethod,
  { access, body, quota }: Operation,
  { limiters, maxBodyBytes }: { limiters: Record<QuotaPolicy, RateLimiter>; maxBodyBytes: number },
): MountedRoute {
  return {
    handler,
    onRequest: async (request) => {
      if (access === 'team key') refuseExternalKey(request);
      refuseUnreadableBody(request, maxBodyBytes);
    },
    preValidation: async (request) => {
      if (body !== undefined) request.body = parseJsonBody(request.body);
    },
    onSend: async (request, reply) => {
      // A refusal of the key itself has nobody whose limit it could tell.
      if (quota === undefined || request.caller === undefined) return;
      await setQuotaHeaders(reply, quota, limiters[quota], request.caller.keyId);
    },
  };
}

function refuseExternalKey(request: FastifyRequest): void {
  if (request.caller.tier === 'team') return;
  throw new AppError('forbidden_tier', 'This endpoint is for keys of tier team.');
}

/** What the headers say about a body is enough to refuse it before it is read: its size first, then its form. */
function refuseUnreadableBody(request: FastifyRequest, maxBodyBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    throw new AppError('payload_too_large', `The body must be at most ${maxBodyBytes} bytes.`);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported_media_type', 'The body must come without a content encoding.');
  }
}
