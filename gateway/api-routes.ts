import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance } from 'fastify';
import { authenticateRequest } from './authenticate.ts';
import type { Callers } from './caller.ts';
import { acceptJsonBodies, type BodyLimits, checkedRoute } from './checked-route.ts';
import { codebaseRoutes } from './codebases/routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { compressAnswers } from './encoding/compress-answers.ts';
import { eventRoutes } from './events/routes.ts';
import { itemRoutes } from './items/routes.ts';
import { metricRoutes } from './metrics/routes.ts';
import { type Handlers, mountOperations } from './mount-operations.ts';
import type { OpenConnections } from './open-connections.ts';
import { apiOperations } from './operations.ts';
import { projectRoutes } from './projects/routes.ts';
import { queryRoutes } from './query/routes.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import { signInLinkRoutes } from './sign-in-links/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { whoamiRoutes } from './whoami/routes.ts';

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
    ...signInLinkRoutes(dependencies),
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
    acceptJsonBodies(api);
    mountOperations(api, apiOperations, (name, operation) =>
      checkedRoute(handlers[name], operation, dependencies),
    );
  };
}
