import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BodyLimits } from '../bodies/body-limits.ts';
import { acceptJsonBodies, type CheckedOperation, checkedRoute } from '../checked-route.ts';
import { validate } from '../contract/validate.ts';
import { compressAnswers } from '../encoding/compress-answers.ts';
import { httpAnswers } from '../http-error.ts';
import { refuseOtherMethods } from '../mount-operations.ts';
import type { OpenConnections } from '../open-connections.ts';
import { takeSlots } from '../rate-limit/http-limits.ts';
import { holderOf } from '../request.ts';
import { refuseLargeMessages } from './message-bounds.ts';
import { boundOpenMessages, isSubscription, messagesIn } from './open-messages.ts';
import { endpointPath, keyChallenge, metadataPath, originOf, resourceMetadata } from './resource-metadata.ts';
import type { createServing, McpDependencies, ServeMessage } from './serve-message.ts';
import { authenticateForTeam, teamOfPath } from './team-caller.ts';
import { countToolCalls } from './tool-calls.ts';
import { createHostCheck } from './trusted-host.ts';

/**
 * A message. Its largest part is the text of an item to push, so its bytes are bounded as on all routes; the front matter
 * of an item has fewer values than this. The access of the key is checked by the calls that write.
 */
const message: CheckedOperation = {
  method: 'POST',
  access: 'any key',
  body: { bounds: { maxValues: 20_000, maxLevels: 64 } },
};

const paths = ['/mcp', '/mcp/:team'];

/** A connector that knows only two tools, and their answers, asks for those. */
const parameters = z.object({
  profile: z.literal('search-fetch', { error: 'must be search-fetch, if it is given' }).optional(),
});

/**
 * Mounts the MCP endpoint. Checks run in this order: Host and Origin, key, team, method, body. The packages of the
 * protocol are loaded by the first message, because that takes longer than everything else at the start of the gateway.
 */
export function mcpRoutes(
  dependencies: Omit<McpDependencies, 'onToolCall'> &
    BodyLimits & {
      metrics: Metrics;
      connections: OpenConnections;
      /** Messages of a key in a minute. */
      mcpMessages: RateLimiter;
      hosts: readonly string[];
      origins: readonly string[];
    },
) {
  const checkHost = createHostCheck(dependencies);
  const countCall = countToolCalls(dependencies.metrics);
  const openMessages = boundOpenMessages(dependencies.metrics);
  let loading: Promise<ServeMessage> | undefined;

  /** Counts a call of a tool. One that is refused costs its key what a refused request does. */
  function onToolCall(request: FastifyRequest, tool: string, outcome: string): void {
    countCall(tool, outcome);
    if (!(outcome in httpAnswers)) return;
    const bytes = Math.ceil(request.reading.received / messagesIn(request.body));
    dependencies.refused.charge(request.caller.keyId, httpAnswers[outcome as ErrorCode].status, bytes);
  }

  /** Sets `caller`, and on a missing or invalid key says where a client learns how to send one. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const origin = originOf(request, checkHost(request.headers));
    try {
      request.caller = await authenticateForTeam(dependencies.callers, request);
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_key') {
        reply.header('www-authenticate', keyChallenge(origin, endpointPath(teamOfPath(request))));
      }
      throw error;
    }
    dependencies.connections.trust(request, reply);
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { profile } = validate(parameters, request.query);
    refuseLargeMessages(request.body, request.reading.received);
    await takeSlots(
      { limiter: dependencies.mcpMessages, policy: 'mcp-messages', key: request.caller.keyId, reply },
      messagesIn(request.body),
    );
    await takePermits(request, reply);
    loading ??= loadServing().then((createServing) => createServing({ ...dependencies, onToolCall }));
    const dashboard = originOf(request, checkHost(request.headers));
    await (await loading)(request, reply, profile === undefined ? {} : { searchFetch: { dashboard } });
    return reply;
  }

  /** Takes the permits of the messages, which are held until the answer was received. Streams of changes have their own. */
  async function takePermits(request: FastifyRequest, { raw }: FastifyReply) {
    if (isSubscription(request.body)) return;
    const giveBack = await openMessages.take(holderOf(request), messagesIn(request.body));
    raw.once('close', giveBack);
    // The reader may have gone while the message waited.
    if (raw.destroyed) giveBack();
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.register(async (endpoint) => {
      endpoint.addHook('onRequest', authenticate);
      compressAnswers(endpoint, dependencies.compressor);
      acceptJsonBodies(endpoint);
      for (const url of paths) {
        endpoint.route({
          ...checkedRoute(serve, message, dependencies),
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

/** Loads the packages of the protocol one after the other, so that none of these turns of the event loop takes long. */
async function loadServing(): Promise<typeof createServing> {
  await import('@modelcontextprotocol/server');
  await import('@modelcontextprotocol/node');
  return (await import('./serve-message.ts')).createServing;
}
