import { Readable } from 'node:stream';
import type { DescMethod } from '@bufbuild/protobuf';
import { type ContextValues, createContextValues } from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import { isOpenMethod, limitsOf } from '@teammemory/rpc/method-limits.ts';
import { createMemberCalls } from '@teammemory/rpc/server/member-calls.ts';
import { createMethodHandlers, type MethodHandlers } from '@teammemory/rpc/server/method-handlers.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget } from '../bodies/body-limits.ts';
import { bodyReading, declaredBytes, tooLarge } from '../bodies/read-body.ts';
import { authenticateSession, type Callers } from '../caller.ts';
import type { Transports } from '../clients.ts';
import { type Compressor, compressAnswers } from '../encoding/compress-answers.ts';
import type { OpenConnections } from '../open-connections.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { holderOf, originOf } from '../request.ts';
import {
  forwardedCallKey,
  forwardedMethod,
  nameOf,
  publicError,
  streamTimeoutMs,
} from './forwarded-method.ts';

const services = [AnalyticsService, AuthService, ContentService, QueryService];
/** Bytes around the message of a stream. */
const maxEnvelopeBytes = 64;

/**
 * Mounts the services' own RPCs for the dashboard, below the path of this scope: Connect over HTTP, as whom the session
 * of the cookie stands for. A call reaches the service with a member's own token, so it may do exactly what the same
 * member may do at the RPC port, and is limited as there.
 */
export function rpcRoutes(dependencies: {
  transports: Transports;
  callers: Callers;
  connections: OpenConnections;
  refusals: Refusals;
  compressor: Compressor;
  budget: BodyBudget;
  overdue: AbortSignal;
  /** Milliseconds that never go back. */
  monotonicClock: () => number;
}) {
  const { callers, connections, refusals, compressor, budget, overdue } = dependencies;
  const memberCalls = createMemberCalls(dependencies.monotonicClock);
  const handlers = handlersOf(dependencies);

  function handlerOf(request: FastifyRequest): UniversalHandler {
    const { '*': path } = request.params as { '*': string };
    const handler = handlers.get(`/${path}`);
    if (handler === undefined) throw new AppError('not_found', 'There is no such method.');
    return handler;
  }

  /** Reads the message, within what the method says and what all bodies together may hold. */
  async function readMessage(
    request: FastifyRequest,
    reply: FastifyReply,
    maxBytes: number,
  ): Promise<Uint8Array> {
    if ((declaredBytes(request.raw) ?? 0) > maxBytes) throw tooLarge(maxBytes);
    request.reading = bodyReading({
      payload: request.raw,
      bounds: { maxBytes, maxValues: Number.POSITIVE_INFINITY, maxLevels: Number.POSITIVE_INFINITY },
      encoding: undefined,
      holder: holderOf(request),
      budget,
    });
    reply.raw.once('close', request.reading.release);
    return (await request.reading.read()).bytes;
  }

  /**
   * The message of a call, once all checks before it have passed. They stand here, and not in hooks, because a handler
   * writes what this throws as the protocol wants it, for unary calls and streams.
   */
  async function* checkedMessage(
    request: FastifyRequest,
    reply: FastifyReply,
    { method, values }: { method: DescMethod; values: ContextValues },
  ): AsyncIterable<Uint8Array> {
    try {
      request.caller = await authenticateSession(callers, request);
      connections.trust(request, reply);
      // The service would refuse it too, but only after up to 72 MiB of its message were read.
      if (limitsOf(method).administratorsOnly) {
        throw new AppError('permission_denied', 'This method is for administrators.');
      }
      if (limitsOf(method).gatewayOnly) {
        throw new AppError('permission_denied', 'Members reach this method through the public API only.');
      }
      memberCalls.count({ kind: 'member', caller: request.caller, direct: true }, method);
      const bytes = await readMessage(request, reply, limitsOf(method).maxRequestBytes + maxEnvelopeBytes);
      values.set(forwardedCallKey, { caller: request.caller, ...originOf(request) });
      yield bytes;
    } catch (error) {
      refusals.note(request.caller, nameOf(method), appErrorFromRpc(error));
      throw publicError(error, request.id);
    }
  }

  async function call(request: FastifyRequest, reply: FastifyReply) {
    const handler = handlerOf(request);
    const { method } = handler;
    const values = createContextValues();
    const ended = new AbortController();
    reply.raw.once('close', () => ended.abort());
    // A model may think for longer than an idle connection lives.
    if (method.methodKind !== 'unary') request.raw.socket.setTimeout(streamTimeoutMs);
    const answer = await handler({
      httpVersion: '1.1',
      method: request.method,
      url: `http://dashboard${request.url}`,
      header: forwardedHeaders(request),
      body: checkedMessage(request, reply, { method, values }),
      signal: AbortSignal.any([ended.signal, overdue]),
      contextValues: values,
    });
    return send(answer, reply, method);
  }

  return async (app: FastifyInstance): Promise<void> => {
    compressAnswers(app, compressor);
    // The message is read by `readMessage`.
    app.addContentTypeParser(/^application\/(?:connect\+)?(?:proto|json)$/, async () => undefined);
    app.post('/*', call);
  };
}

/** The methods that a session may call. */
function handlersOf(dependencies: Parameters<typeof forwardedMethod>[1]): MethodHandlers {
  const handlers = createMethodHandlers();
  for (const service of services) {
    for (const method of service.methods) {
      // Such a method turns a key into a token; whoever has a session needs none.
      if (isOpenMethod(method)) continue;
      // A session would make itself last longer than it may.
      if (method === AuthService.method.createSignInLink) continue;
      const readMaxBytes = limitsOf(method).maxRequestBytes;
      const options = { grpc: false, grpcWeb: false, readMaxBytes };
      handlers.add(method, forwardedMethod(method, dependencies), options);
    }
  }
  return handlers;
}

/** What a handler may know of a request: how its message is written and until when it must be answered. */
function forwardedHeaders({ headers }: FastifyRequest): Headers {
  const forwarded = new Headers();
  for (const name of ['content-type', 'connect-protocol-version', 'connect-timeout-ms']) {
    const value = headers[name];
    if (typeof value === 'string') forwarded.set(name, value);
  }
  return forwarded;
}

async function send(
  { status, header, body }: UniversalServerResponse,
  reply: FastifyReply,
  { methodKind }: DescMethod,
) {
  reply.code(status);
  header?.forEach((value, name) => {
    reply.header(name, value);
  });
  if (body === undefined) return reply.send();
  if (methodKind !== 'unary') return reply.send(Readable.from(body));
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return reply.send(Buffer.concat(parts));
}
