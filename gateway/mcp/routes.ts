import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateKey, type Callers, type KeyCaller } from '../caller.ts';
import { acceptJsonBodies, type BodyLimits, type CheckedOperation, checkedRoute } from '../checked-route.ts';
import type { QuotaPolicy } from '../contract/operation.ts';
import { compressAnswers } from '../encoding/compress-answers.ts';
import { refuseOtherMethods } from '../mount-operations.ts';
import type { OpenConnections } from '../open-connections.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { endpointPath, keyChallenge, metadataPath, originOf, resourceMetadata } from './resource-metadata.ts';
import type { McpDependencies, ServeMessage } from './serve-message.ts';
import { createHostCheck } from './trusted-host.ts';

/** Messages of one batch; each may be a call of a tool. Only clients of the revision 2025-03-26 send batches. */
const maxBatchMessages = 16;

/**
 * A message. Its largest part is the text of an item to push, so its bytes are bounded as on all routes and its values as
 * in a push of many items. The access of the key is checked by the calls that write.
 */
const message: CheckedOperation = {
  method: 'POST',
  access: 'any key',
  body: { bounds: { maxValues: 50_000, maxLevels: 64 } },
};

const paths = ['/mcp', '/mcp/:team'];

/**
 * Mounts the MCP endpoint. Checks run in this order: Host and Origin, key, team, method, body. The packages of the
 * protocol are loaded by the first message, because that takes longer than everything else at the start of the gateway.
 */
export function mcpRoutes(
  dependencies: McpDependencies &
    BodyLimits & {
      callers: Callers;
      connections: OpenConnections;
      hosts: readonly string[];
      origins: readonly string[];
    },
) {
  const checkHost = createHostCheck(dependencies);
  const limiters: Record<QuotaPolicy, RateLimiter> = {
    'item-writes': dependencies.itemWrites,
    questions: dependencies.questions,
    searches: dependencies.searches,
    scans: dependencies.scans,
    snapshots: dependencies.snapshots,
  };
  let loading: Promise<ServeMessage> | undefined;

  /** Sets `caller`, and on a missing or invalid key says where a client learns how to send one. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const origin = originOf(request, checkHost(request.headers));
    try {
      const caller = await authenticateKey(dependencies.callers, request);
      requireTeam(caller, request);
      request.caller = caller;
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_key') {
        reply.header('www-authenticate', keyChallenge(origin, endpointPath(teamOfPath(request))));
      }
      throw error;
    }
    dependencies.connections.trust(request, reply);
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (Array.isArray(request.body) && request.body.length > maxBatchMessages) {
      throw new AppError('invalid_request', `A batch may have at most ${maxBatchMessages} messages.`);
    }
    loading ??= import('./serve-message.ts').then(({ createServing }) => createServing(dependencies));
    await (await loading)(request, reply);
    return reply;
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.register(async (endpoint) => {
      endpoint.addHook('onRequest', authenticate);
      compressAnswers(endpoint, dependencies.compressor);
      acceptJsonBodies(endpoint);
      for (const url of paths) {
        endpoint.route({
          ...checkedRoute(serve, message, { ...dependencies, limiters }),
          method: 'POST',
          url,
        });
        refuseOtherMethods(endpoint, url, ['POST']);
      }
    });
    for (const path of ['', ...paths]) {
      const url = `${metadataPath}${path}`;
      scope.get(url, async (request) => {
        const origin = originOf(request, checkHost({ host: request.headers.host }));
        const team = teamOfPath(request);
        return resourceMetadata(origin, path === '' ? '' : endpointPath(team));
      });
      refuseOtherMethods(scope, url, ['GET', 'HEAD']);
    }
  };
}

/**
 * Requires that the path or X-Svc-Team names the team of the key, and that neither names another one. The team is not
 * looked up: one that does not exist gets the same answer as one of somebody else.
 * @throws AppError `team_forbidden`.
 */
function requireTeam({ teamSlug }: KeyCaller, request: FastifyRequest): void {
  const named = [teamOfPath(request), request.headers['x-svc-team']].filter((team) => team !== undefined);
  if (named.length > 0 && named.every((team) => team === teamSlug)) return;
  throw new AppError(
    'team_forbidden',
    'Neither the path nor the header X-Svc-Team names the team of this key.',
  );
}

function teamOfPath({ params }: FastifyRequest): string | undefined {
  return (params as { team?: string }).team;
}
