import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteHandlerMethod } from 'fastify';
import { authenticateRequest } from './authenticate-request.ts';
import type { Callers } from './caller.ts';
import { parseJsonBody } from './json-body.ts';
import { setQuotaHeaders } from './rate-limit/rate-limit-headers.ts';
import { askQuestion } from './routes/ask-question.ts';
import { deleteItem } from './routes/delete-item.ts';
import { listDecisions } from './routes/list-decisions.ts';
import { listItems } from './routes/list-items.ts';
import { listProjects } from './routes/list-projects.ts';
import { listTasks } from './routes/list-tasks.ts';
import { pushItems } from './routes/push-items.ts';
import type { RouteContext } from './routes/route-context.ts';

interface Endpoint {
  handler: RouteHandlerMethod;
  /** Refuses keys of other tiers before anything else of the request is looked at; unset: for every tier. */
  tier?: 'team';
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

    const { itemWrites, maxBodyBytes } = options;
    const sayQuota: Endpoint['onAnswer'] = (request, reply) =>
      setQuotaHeaders(reply, 'item-writes', itemWrites, request.caller.keyId);
    const items = {
      GET: { handler: listItems(options) },
      POST: { handler: pushItems(options), onAnswer: sayQuota },
    };
    addPath(api, '/items', items, maxBodyBytes);
    addPath(api, '/items/*', { DELETE: { handler: deleteItem(options) } }, maxBodyBytes);
    addPath(api, '/tasks', { GET: { handler: listTasks(options) } }, maxBodyBytes);
    addPath(api, '/decisions', { GET: { handler: listDecisions(options) } }, maxBodyBytes);
    addPath(api, '/projects', { GET: { handler: listProjects(options), tier: 'team' } }, maxBodyBytes);
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
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  for (const method of methods) {
    const endpoint = endpoints[method];
    if (endpoint === undefined) continue;
    api.route({
      method,
      url,
      handler: endpoint.handler,
      onRequest: async (request) => {
        if (endpoint.tier !== undefined && request.caller.tier !== endpoint.tier) {
          throw new AppError('forbidden_tier', `This endpoint is for keys of tier ${endpoint.tier}.`);
        }
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
  api.route({
    method: api.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    exposeHeadRoute: false,
    onRequest: async (_request, reply) => {
      reply.header('allow', allowed.join(', '));
      throw new AppError('method_not_allowed', `This path answers ${allowed.join(', ')}.`);
    },
    handler: () => undefined,
  });
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
