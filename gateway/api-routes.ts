import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteHandlerMethod } from 'fastify';
import { authenticateRequest } from './authenticate-request.ts';
import type { Callers } from './caller.ts';
import { parseJsonBody } from './json-body.ts';
import { askQuestion } from './routes/ask-question.ts';
import { deleteItem } from './routes/delete-item.ts';
import { listItems } from './routes/list-items.ts';
import { pushItems } from './routes/push-items.ts';
import type { RouteContext } from './routes/route-context.ts';

type Handlers = Partial<Record<HTTPMethods, RouteHandlerMethod>>;

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

    addPath(api, '/items', { GET: listItems(options), POST: pushItems(options) }, options.maxBodyBytes);
    addPath(api, '/items/*', { DELETE: deleteItem(options) }, options.maxBodyBytes);
    addPath(api, '/query', { POST: askQuestion(options) }, options.maxBodyBytes);
  };
}

/** Adds a path with its methods; every other method answers 405 before its body is looked at. */
function addPath(api: FastifyInstance, url: string, handlers: Handlers, maxBodyBytes: number): void {
  const methods = Object.keys(handlers) as HTTPMethods[];
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  for (const method of methods) {
    const handler = handlers[method];
    if (handler === undefined) continue;
    api.route({
      method,
      url,
      handler,
      onRequest: async (request) => refuseUnreadableBody(request, maxBodyBytes),
      preValidation: async (request) => {
        if (method === 'POST') request.body = parseJsonBody(request.body);
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
  if (request.headers['content-encoding'] !== undefined) {
    throw new AppError('unsupported_media_type', 'The body must come without a content encoding.');
  }
}
