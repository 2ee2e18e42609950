import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance } from 'fastify';
import type { BodyLimits } from './bodies/body-limits.ts';
import { authenticateRequest, type Callers } from './caller.ts';
import { acceptJsonBodies, checkedRoute } from './checked-route.ts';
import { listCodebases, listScans, pushScan } from './codebases/routes.ts';
import { decisionFeed, oneDecision } from './decisions/routes.ts';
import { compressAnswers } from './encoding/compress-answers.ts';
import { followChanges } from './events/routes.ts';
import { feedRoute } from './feed/page.ts';
import { rowRoute } from './feed/row.ts';
import { getItem, getItemVersion, listItemVersions } from './items/history-routes.ts';
import {
  acceptProposal,
  declineProposal,
  getProposal,
  listProposals,
  withdrawProposal,
} from './items/proposal-routes.ts';
import { deleteItem, listItems, pushItems } from './items/routes.ts';
import { getRollup, pushSnapshot } from './metrics/routes.ts';
import { type Handlers, mountOperations } from './mount-operations.ts';
import type { OpenConnections } from './open-connections.ts';
import { apiOperations } from './operations.ts';
import { listProjects } from './projects/routes.ts';
import { askQuestion, searchRoute } from './query/routes.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import { createSignInLink } from './sign-in-links/routes.ts';
import { oneTask, taskFeed } from './tasks/routes.ts';
import { describeKey } from './whoami/routes.ts';

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
    listItems: listItems(dependencies),
    pushItems: pushItems(dependencies),
    getItem: getItem(dependencies),
    deleteItem: deleteItem(dependencies),
    listItemVersions: listItemVersions(dependencies),
    getItemVersion: getItemVersion(dependencies),
    listProposals: listProposals(dependencies),
    getProposal: getProposal(dependencies),
    acceptProposal: acceptProposal(dependencies),
    declineProposal: declineProposal(dependencies),
    withdrawProposal: withdrawProposal(dependencies),
    listTasks: feedRoute(taskFeed, dependencies),
    getTask: rowRoute(oneTask, dependencies),
    listDecisions: feedRoute(decisionFeed, dependencies),
    getDecision: rowRoute(oneDecision, dependencies),
    listProjects: listProjects(dependencies),
    followChanges: followChanges(dependencies),
    askQuestion: askQuestion(dependencies),
    searchPassages: searchRoute(dependencies),
    pushScan: pushScan(dependencies),
    listCodebases: listCodebases(dependencies),
    listScans: listScans(dependencies),
    pushSnapshot: pushSnapshot(dependencies),
    getRollup: getRollup(dependencies),
    describeKey: describeKey(dependencies),
    createSignInLink: createSignInLink(dependencies),
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
