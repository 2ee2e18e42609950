import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode, toAppError } from '@teammemory/errors/app-error.ts';
import { limitWarnings } from '@teammemory/log/limited-warnings.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { createDiscards } from './bodies/discard-rest.ts';
import { authenticateRequest, type Callers } from './caller.ts';
import type { ClientAddressOf } from './client-address.ts';
import { problemFrom, retryAfterSeconds } from './http-error.ts';
import type { OpenConnections } from './open-connections.ts';
import type { Refusals } from './refusals/refusals.ts';
import { requestFields, requestIdFrom, routeOf, traceRequests } from './request.ts';

/** A request must be complete by then, so that slow senders hold a bounded amount. */
const requestTimeoutMs = 60_000;
/** The same for its headers, including the first request of a silent connection. */
const headTimeoutMs = 10_000;
/** How often these timeouts are checked; Node's default of 30 s would be added to each. */
const timeoutCheckMs = 1_000;
/** A connection without traffic for so long is closed: its reader receives nothing, but keeps the answer in memory. */
const idleConnectionTimeoutMs = 30_000;
/** A silent peer is probed by TCP after this long; its connection ends seconds later if it is gone. */
const probeAfterMs = 15_000;
/** Longer than the idle timeout of common load balancers, so that they close first. */
const keepAliveTimeoutMs = 75_000;
/** Headers of every answer that does not set its own. */
const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** The longest row_key with every byte percent-encoded. */
const maxPathParameterCharacters = 3 * maxRowKeyBytes;

/** Inputs are checked by the contract's own types. Fastify's compilers of schemas would be loaded at every start. */
function noSchemas(): never {
  throw new Error('A route of this server has no schema of Fastify.');
}

/**
 * Creates the HTTP server: connections, request ids, a problem answer for every error (including those of Fastify and of
 * the HTTP parser) and metrics.
 */
export function createHttpServer(dependencies: {
  callers: Callers;
  connections: OpenConnections;
  clientAddressOf: ClientAddressOf;
  /** Milliseconds since the epoch. */
  clock: () => number;
  refusals: Refusals;
  log: Log;
  metrics: Metrics;
}): FastifyInstance {
  const { callers, connections, clientAddressOf, clock, refusals, log, metrics } = dependencies;
  const routed = new Set<string | undefined>();
  const app: FastifyInstance = Fastify({
    // No path answers rare methods. All are refused as TRACE, so that no path needs a route for each of them.
    rewriteUrl: (raw) => {
      if (!routed.has(raw.method)) raw.method = 'TRACE';
      return raw.url ?? '';
    },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: idleConnectionTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // A request that arrives while the server closes is answered like any other; its connection is not kept.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxPathParameterCharacters },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    clientErrorHandler: (error, socket) => answerMalformedRequest(socket, detailOf(error)),
    // Node would refuse a request without Host with an empty answer; the first hook sends a problem instead.
    http: {
      requireHostHeader: false,
      headersTimeout: headTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
    },
    frameworkErrors: (error, request, reply) => void answerBadPath(error, request, reply),
  });
  for (const method of app.supportedMethods) routed.add(method);
  app.removeAllContentTypeParsers();
  app.decorateRequest('clientAddress', {
    getter() {
      return clientAddressOf(this.raw);
    },
  });
  app.decorateRequest('caller');
  app.decorateRequest('reading');
  connections.watch(app.server);
  app.addHook('preClose', async () => connections.closeUnused());
  app.setErrorHandler((thrown: Error, request, reply) =>
    sendProblem(errorFrom(thrown, request), request, reply),
  );
  // An expectation may be ignored (RFC 9110, 10.1.1); Node's own 417 would not be a problem answer.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addHooks(app, { log, metrics });

  const warn = limitWarnings(log);

  function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply) {
    if (error.code === 'internal') {
      log.error({ ...requestFields(request), err: error.cause ?? error }, 'a request failed');
    } else if (error.code === 'unavailable') {
      warn({ ...requestFields(request), err: error.cause ?? error }, 'a request could not be answered');
    }
    // Fastify would close the connection while the client still sends, and the client would never read the answer.
    reply.removeHeader('connection');
    metrics.httpProblem({ route: routeOf(request), code: error.code });
    refusals.note(request.caller, `${request.method} ${routeOf(request)}`, error);
    const problem = problemFrom(error, request.id);
    if (problem.status === 401 && !reply.hasHeader('www-authenticate')) {
      reply.header('www-authenticate', 'Bearer');
    }
    const retryAfter = retryAfterSeconds(error, clock());
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  }

  /** A path that cannot be decoded does not exist; below /api/v1 the key is still checked first. */
  async function answerBadPath(
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    reply.headers({ 'x-request-id': request.id, ...answerHeaders });
    try {
      if (request.raw.url?.startsWith('/api/v1')) await authenticateRequest(callers, request);
      throw new AppError('not_found', 'There is no such path.', { cause: error });
    } catch (thrown) {
      sendProblem(toAppError(thrown), request, reply);
    }
  }

  return app;
}

/** Traces and measures every request, reads nothing of a body too early, and discards the rest of it after the answer. */
function addHooks(app: FastifyInstance, { log, metrics }: { log: Log; metrics: Metrics }): void {
  traceRequests(app);
  // These hooks run for each request and wait for nothing, so none is async: a promise takes longer than all that they do.
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.hijack();
      answerMalformedRequest(raw.socket);
      return;
    }
    reply.headers({ 'x-request-id': request.id, ...answerHeaders });
    // Nothing is read until a route reads the body or the answer was sent.
    if (hasBody(raw)) raw.socket.pause();
    done();
  });
  const discards = createDiscards();
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // Chunks may have one byte each, and discarding them costs as much as reading them.
    if (!raw.complete && raw.headers['transfer-encoding'] !== undefined) reply.header('connection', 'close');
    done(null, payload);
  });
  const isEachLogged = log.isLevelEnabled('debug');
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (hasBody(request.raw)) discards.start(request.raw);
    // A connection that was busy when closing began would otherwise stay open and keep the process alive.
    if (closing) app.server.closeIdleConnections();
    const labels = { method: request.method, route: routeOf(request), status: reply.statusCode };
    metrics.httpRequest(labels, reply.elapsedTime / 1000);
    if (isEachLogged) {
      const { clientAddress: address } = request;
      const measured = {
        milliseconds: reply.elapsedTime,
        bytes: Number(reply.getHeader('content-length') ?? 0),
      };
      log.debug({ ...labels, ...requestFields(request), address, ...measured }, 'answered');
    }
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Refusals of Fastify itself, by status. Any other thrown value is a fault of ours. */
const fastifyRefusals: Readonly<Record<number, { code: ErrorCode; message: string }>> = {
  400: { code: 'invalid_json', message: 'The body could not be read.' },
  413: { code: 'payload_too_large', message: 'The body is larger than the service accepts.' },
  415: { code: 'unsupported_media_type', message: 'The body must be application/json.' },
};

function errorFrom(thrown: Error, request: FastifyRequest): AppError {
  if (request.raw.destroyed && !request.raw.complete) {
    return new AppError('invalid_json', 'The request ended before its body did.', { cause: thrown });
  }
  const { code, statusCode } = thrown as Partial<FastifyError>;
  const refusal = code?.startsWith('FST_') ? fastifyRefusals[statusCode ?? 500] : undefined;
  return refusal === undefined
    ? toAppError(thrown)
    : new AppError(refusal.code, refusal.message, { cause: thrown });
}

const notHttp = 'The request is not well-formed HTTP.';

/** Says what is wrong with a message that the HTTP parser refused. */
function detailOf({ code }: { code?: string }): string {
  if (code !== 'HPE_HEADER_OVERFLOW') return notHttp;
  return `The request line and the headers have more than ${maxHeaderSize / 1024} KiB; shorten the parameters.`;
}

/** Answers a message that is not valid HTTP by hand, because there is no request object. */
function answerMalformedRequest(socket: Socket, detail = notHttp): void {
  if (!socket.writable) return;
  const requestId = requestIdFrom(undefined);
  const error = new AppError('invalid_request', detail);
  const body = JSON.stringify({ ...problemFrom(error, requestId), status: 400 });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nx-request-id: ${requestId}\r\n` +
      'cache-control: no-store\r\nx-content-type-options: nosniff\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
