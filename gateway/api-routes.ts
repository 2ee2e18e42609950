import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteHandlerMethod } from 'fastify';
import { authenticateRequest } from './authenticate-request.ts';
import type { Callers } from './caller.ts';
import { parseJsonBody } from './json-body.ts';
import { setQuotaHeaders } from './rate-limit/rate-limit-headers.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
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

interface Endpoint {
  handler: RouteHandlerMethod;
  /** Whether external keys are refused, before the body is looked at. */
  teamTierOnly?: boolean;
  /** Runs on every answer of the endpoint once its caller is known, refusals included. */
  onAnswer?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/**
 * Everything below /api/v1. The order of checks is that of decisions §2: key,
 * team, path and method, tier, body, limits. It holds because each check is an
 * `onRequest` hook of this scope, and hooks run in the order they are added.
 */
export function apiRoutes(options: RouteContext & { callers: Callers; maxBodyBytes: number }) {
  return async (api: FastifyInstance): Promise<void> => {
    api.addHook('onRequest', async (request) => {
      request.caller = await authenticateRequest(options.callers, request);
      if (request.is404) throw new AppError('not_found', 'There is no such path.');
    });
    api.setNotFoundHandler(() => undefined);

    const { itemWrites, scans, snapshots, maxBodyBytes } = options;
    const sayQuota =
      (policy: string, limiter: RateLimiter): Endpoint['onAnswer'] =>
      (request, reply) =>
        setQuotaHeaders(reply, policy, limiter, request.caller.keyId);
    const items = {
      GET: { handler: listItems(options) },
      POST: { handler: pushItems(options), onAnswer: sayQuota('item-writes', itemWrites) },
    };
    const codebases = {
      POST: { handler: pushScan(options), teamTierOnly: true, onAnswer: sayQuota('scans', scans) },
    };
    const saySnapshots = sayQuota('snapshots', snapshots);
    const metrics = {
      POST: { handler: pushSnapshot(options), teamTierOnly: true, onAnswer: saySnapshots },
    };
    addPath(api, '/items', items, maxBodyBytes);
    addPath(api, '/items/*', { DELETE: { handler: deleteItem(options) } }, maxBodyBytes);
    addPath(api, '/codebases', codebases, maxBodyBytes);
    addPath(api, '/metrics', metrics, maxBodyBytes);
    addPath(api, '/tasks', { GET: { handler: listTasks(options) } }, maxBodyBytes);
    addPath(api, '/decisions', { GET: { handler: listDecisions(options) } }, maxBodyBytes);
    addPath(api, '/projects', { GET: { handler: listProjects(options), teamTierOnly: true } }, maxBodyBytes);
    addPath(api, '/query', { POST: { handler: askQuestion(options) } }, maxBodyBytes);
  };
}

/** Adds a path with its methods; every other method answers 405 before its body is looked at. */
function addPath(
  api: FastifyInstance,
  url: string,
  endpoints: Partial<Record<HTTPMethods, Endpoint>>,
  maxBodyBytes: number,
): void {
  const methods = Object.keys(endpoints) as HTTPMethods[];
  for (const method of methods) {
    const endpoint = endpoints[method];
    if (endpoint === undefined) continue;
    api.route({
      method,
      url,
      handler: endpoint.handler,
      onRequest: async (request) => {
        if (endpoint.teamTierOnly) refuseExternalKey(request);
        refuseUnreadableBody(request, maxBodyBytes);
      },
      preValidation: async (request) => {
        if (method === 'POST') request.body = parseJsonBody(request.body);
      },
      onSend: async (request, reply) => {
        if (request.caller !== undefined) await endpoint.onAnswer?.(request, reply);
      },
    });
  }
  refuseOtherMethods(api, url, methods.includes('GET') ? [...methods, 'HEAD'] : methods);
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
