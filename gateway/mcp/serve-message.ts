import { type FetchLikeMcpHandler, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type ServerEventBus } from '@modelcontextprotocol/server';
import { productVersion } from '@teammemory/config/product-version.ts';
import { createMemoryServer, type MemoryServerOptions } from '@teammemory/mcp/memory-server.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAnswers } from '../feed/page-answers.ts';
import { requestFields } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { createGatewayMemories } from './gateway-memory.ts';
import { listen } from './listen.ts';
import { asksModel, isSubscription } from './open-messages.ts';

/** What serving messages needs. */
export type McpDependencies = RouteDependencies & {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Called after each call of a tool. */
  onToolCall(request: FastifyRequest, tool: string, outcome: string): void;
};

/** Which tools a client is offered. */
export type Profile = Pick<MemoryServerOptions, 'searchFetch'>;

/** Serves the message, or the batch, of a request whose checks have passed. */
export type ServeMessage = (request: FastifyRequest, reply: FastifyReply, profile: Profile) => Promise<void>;

/**
 * Creates the serving of one gateway. Each request has a handler of its own: that is cheap, and what the handler tells
 * the readers of its streams can then reach nobody else.
 */
export function createServing(dependencies: McpDependencies): ServeMessage {
  const { log } = dependencies;
  const memoryOf = createGatewayMemories(dependencies);

  return async (request, reply, profile) => {
    const { body } = request;
    const memory = memoryOf(request);
    // An answer of the model takes longer than a silent connection is kept, so its call is answered by a stream, which has
    // heartbeats, and keeps no share of the memory and turns of bodies. The others are answered by JSON unless they report
    // progress.
    const isLong = asksModel(body);
    if (isLong) request.reading.release();
    const responseMode = isLong ? 'sse' : 'auto';
    let fault: unknown;
    const onerror = (error: Error) => {
      fault = error;
    };

    function createServer({ era }: { era: 'legacy' | 'modern' }) {
      return createMemoryServer({
        ...profile,
        memory,
        version: productVersion,
        // A subscription of the earlier revisions needs a session.
        subscriptions: era === 'modern',
        onToolCall(tool, outcome) {
          dependencies.onToolCall(request, tool, outcome);
          log.debug({ ...requestFields(request), tool, outcome }, 'a tool was called');
        },
        onFault: (error) => log.error({ ...requestFields(request), err: error }, 'a tool call failed'),
      });
    }

    async function serve(bus?: ServerEventBus, onEnd?: (end: () => void) => void): Promise<void> {
      const streams = bus === undefined ? {} : { bus };
      const handler = createMcpHandler(createServer, {
        responseMode,
        onerror,
        ...streams,
      });
      onEnd?.(() => void handler.close());
      const answering: FetchLikeMcpHandler = {
        fetch: (message, options) => handler.fetch(message, { ...options, parsedBody: body }),
      };
      const answer = answerTo(request, reply, dependencies.answers);
      await toNodeHandler(answering, { onerror })(messageOf(request), answer);
      await answer.sent();
    }

    if (isSubscription(body)) await listen(dependencies, { request, reply, memory }, serve);
    else await serve();
    if (reply.raw.statusCode >= 500) {
      log.error({ ...requestFields(request), err: fault }, 'a message could not be served');
    }
  };
}

/**
 * Returns the request as the adapter takes it: with the headers that the protocol reads, and without the body, which was
 * read and parsed within its bounds and is given to the handler itself.
 */
function messageOf({ raw }: FastifyRequest) {
  const headers: Record<string, string | string[] | undefined> = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(raw.headers)) {
    if (name === 'accept' || name.startsWith('mcp-')) headers[name] = value;
  }
  return { method: 'POST', url: '/mcp', headers, async *[Symbol.asyncIterator]() {} };
}

/**
 * Returns the answer as the adapter writes it: JSON goes the way of every answer, which bounds what readers have not
 * received yet, and a stream is written as it comes.
 */
function answerTo(request: FastifyRequest, reply: FastifyReply, answers: PageAnswers) {
  const { raw } = reply;
  const parts: Buffer[] = [];
  let isStream = false;
  let sending: Promise<unknown> | undefined;
  return {
    get destroyed() {
      return raw.destroyed;
    },
    on: (event: string, listener: (...values: unknown[]) => void) => raw.on(event, listener),
    writeHead(status: number, headers: Record<string, string> = {}) {
      isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
      reply.code(status).headers(headers);
      if (!isStream) return;
      reply.hijack();
      raw.writeHead(status, reply.getHeaders() as Record<string, string>);
      // An event that follows at once is sent together with the headers: one packet instead of two.
      setImmediate(() => raw.flushHeaders());
    },
    write(part: string | Uint8Array) {
      if (isStream) return raw.write(part);
      parts.push(bytesOf(part));
      return true;
    },
    end() {
      const [first, ...more] = parts;
      if (isStream) raw.end();
      else if (first === undefined) reply.send();
      else {
        const body = more.length === 0 ? first : Buffer.concat(parts);
        sending = answers.send(request, reply, { encoding: 'identity', body });
      }
    },
    /** Resolves when the answer is on its way. */
    sent: async () => void (await sending),
  };
}

/** Returns bytes without copying them. */
function bytesOf(part: string | Uint8Array): Buffer {
  return typeof part === 'string'
    ? Buffer.from(part)
    : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
}
