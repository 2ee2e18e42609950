import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Operation, PathParameter } from './contract/operation.ts';

/** A handler for each operation. */
export type Handlers<Operations> = Record<keyof Operations, RouteHandlerMethod>;

/** The part of a route that its operation does not have: everything but method and path. */
export type MountedRoute = Omit<RouteOptions, 'method' | 'url'>;

/** Mounts each operation, and answers 405 to the other methods of its path without reading a body. */
export function mountOperations<Name extends string>(
  app: FastifyInstance,
  operations: Record<Name, Operation>,
  routeOf: (name: Name, operation: Operation) => MountedRoute,
): void {
  const methods = new Map<string, string[]>();
  for (const [name, operation] of Object.entries(operations) as [Name, Operation][]) {
    const { method, pathParameters } = operation;
    const url = routeUrl(operation.path.slice(app.prefix.length), pathParameters);
    app.route({ ...routeOf(name, operation), method, url });
    methods.getOrInsert(url, []).push(method);
  }
  const wide = [...methods.keys()].filter((url) => url.endsWith('*')).map((url) => url.slice(0, -1));
  for (const [url, own] of methods) {
    // Such a path lies below one whose parameter may contain slashes, and which answers its other methods.
    if (wide.some((prefix) => url !== `${prefix}*` && url.startsWith(prefix))) continue;
    refuseOtherMethods(app, url, own.includes('GET') ? [...own, 'HEAD'] : own);
  }
}

/**
 * Returns the path for the router. A parameter that is the only one and comes last is the rest of the path, because it
 * may contain slashes, unless it says that it is one segment; others are a segment each.
 */
export function routeUrl(path: string, [first]: readonly PathParameter[] = []): string {
  return !first?.isSegment && /^[^{]*\{\w+\}$/.test(path)
    ? path.replace(/\{\w+\}$/, '*')
    : path.replace(/\{(\w+)\}/g, ':$1');
}

/** Answers 405 with Allow to all methods of a path except the given ones, without reading a body. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = methods.join(', ');
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      // A parameter is never empty: without it the path is another one, which does not exist.
      const parameters = Object.values(request.params as Record<string, string>);
      if (parameters.includes('')) throw new AppError('not_found', 'There is no such path.');
      reply.header('allow', allowed);
      throw new AppError('method_not_allowed', `This path supports ${allowed}.`);
    },
    handler: () => undefined,
  });
}
