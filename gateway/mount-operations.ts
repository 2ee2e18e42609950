import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Operation } from './contract/operation.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';

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
