import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Operation } from './contract/operation.ts';

/** A handler for each operation. */
export type Handlers<Operations> = Record<keyof Operations, RouteHandlerMethod>;

/** What a route needs beside the method and path that its operation has. */
export type MountedRoute = Omit<RouteOptions, 'method' | 'url'>;

/** Mounts each operation, and answers 405 to every other method of its path before a body is looked at. */
export function mountOperations<Name extends string>(
  app: FastifyInstance,
  operations: Record<Name, Operation>,
  routeOf: (name: Name, operation: Operation) => MountedRoute,
): void {
  const methods = new Map<string, string[]>();
  for (const [name, operation] of Object.entries(operations) as [Name, Operation][]) {
    const { method } = operation;
    const url = routeUrl(operation.path.slice(app.prefix.length));
    app.route({ ...routeOf(name, operation), method, url });
    methods.getOrInsert(url, []).push(method);
  }
  for (const [url, own] of methods) {
    refuseOtherMethods(app, url, own.includes('GET') ? [...own, 'HEAD'] : own);
  }
}

/** A path as the router knows it: a parameter is the rest of the path, for it may hold slashes. */
function routeUrl(path: string): string {
  return path.replace(/\{\w+\}$/, '*');
}

/** Answers 405 with Allow to all methods of a path but the given ones, before a body is looked at. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = methods.join(', ');
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      // A parameter is never empty: without one it is another path, and there is none such.
      const { '*': parameter } = request.params as { '*'?: string };
      if (parameter === '') throw new AppError('not_found', 'There is no such path.');
      reply.header('allow', allowed);
      throw new AppError('method_not_allowed', `This path answers ${allowed}.`);
    },
    handler: () => undefined,
  });
}
