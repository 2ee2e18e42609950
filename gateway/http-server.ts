import { type IncomingMessage, METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode, toAppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { createDiscards } from './bodies/discard-rest.ts';
import type { Callers } from './caller.ts';
import { authenticateRequest } from './caller.ts';
import { problemFrom, retryAfterSeconds } from './http-error.ts';
import type { OpenConnections } from './open-connections.ts';
import { requestFields, requestIdFrom } from './request.ts';
import { routeOf, traceRequests } from './trace-requests.ts';

/** A request must have arrived whole by then: what slow senders can hold is bounded. */
const requestTimeoutMs = 60_000;
/** The same for its head, also for the first one of a connection that was opened and is silent. */
const headTimeoutMs = 10_000;
/** How often these are looked after: Node's own 30 s would be added to each. */
const timeoutCheckMs = 1_000;
/** A connection on which nothing moves for so long is cut: its reader takes nothing, and holds the answer in memory. */
const idleConnectionTimeoutMs = 30_000;
/** A peer of whom nothing was heard for so long is probed by TCP, and its connection ends seconds later if it is gone. */
const probeAfterMs = 15_000;
/** Longer than the idle time of usual load balancers, so that they close first. */
const keepAliveTimeoutMs = 75_000;
/** On every answer that does not say otherwise: it is for its caller alone, and what its media type says. */
const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** A row_key of 1,024 bytes, every byte percent-encoded. */
const pathParameterMaxCharacters = 3 * 1024;

/**
 * Makes the HTTP server that every route stands on: connections, request ids, one problem answer for every error (Fastify's own and the parser's too), and
 * what is measured.
 */
export function createHttpServer(options: {
  callers: Callers;
  connections: OpenConnections;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: Log;
  metrics: Metrics;
}): FastifyInstance {
  const { log, metrics, connections } = options;
  const app: FastifyInstance = Fastify({
    requestTimeout: requestTimeoutMs,
    connectionTimeout: idleConnectionTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // A request that was on its way when closing began is answered like any other; its connection is not kept.
    return503OnClosing: false,
    routerOptions: { maxParamLength: pathParameterMaxCharacters },
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    clientErrorHandler: (_error, socket) => answerMalformedRequest(socket),
    // Node would refuse a request without Host with an empty answer; the first hook does it with a problem.
    http: {
      requireHostHeader: false,
      headersTimeout: headTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
    },
    frameworkErrors: (error, request, reply) => void answerBadPath(error, request, reply),
  });
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method))
      app.addHttpMethod(method, { hasBody: true });
  }
  app.removeAllContentTypeParsers();
  app.decorateRequest('caller');
  app.decorateRequest('reading');
  connections.watch(app.server);
  app.setErrorHandler((thrown: Error, request, reply) =>
    sendProblem(errorFrom(thrown, request), request, reply),
  );
  // An expectation may be ignored (RFC 9110, 10.1.1); Node's own 417 would be an answer without a problem.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  traceRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.hijack();
      return answerMalformedRequest(request.raw.socket);
    }
    reply.headers({ 'x-request-id': request.id, ...answerHeaders });
  });
  const discards = createDiscards();
  app.addHook('onRequest', async ({ raw }) => {
    // Nothing is read from here on until a route wants the body, or the answer has left.
    if (hasBody(raw)) raw.socket.pause();
  });
  app.addHook('onSend', async ({ raw }, reply) => {
    // Chunks may be of one byte each, and throwing them away costs as much as reading them.
    if (!raw.complete && raw.headers['transfer-encoding'] !== undefined) reply.header('connection', 'close');
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onResponse', async (request, reply) => {
    discards.start(request.raw);
    // A connection that was busy when closing began would be kept alive, and the process with it.
    if (closing) app.server.closeIdleConnections();
    const labels = { method: request.method, route: routeOf(request), status: reply.statusCode };
    metrics.httpRequest(labels, reply.elapsedTime / 1000);
    if (!log.isLevelEnabled('debug')) return;
    log.debug({ ...labels, ...requestFields(request), milliseconds: reply.elapsedTime }, 'answered');
  });

  function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply) {
    if (error.code === 'internal') {
      log.error({ ...requestFields(request), err: error.cause ?? error }, 'a request failed');
    }
    // Fastify would cut the sender of a refused body in the middle of it, and with it the answer.
    reply.removeHeader('connection');
    metrics.httpProblem({ route: routeOf(request), code: error.code });
    const problem = problemFrom(error, request.id);
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    const retryAfter = retryAfterSeconds(error, options.clock());
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  }

  /** A path that cannot be decoded exists for nobody; below /api/v1 the key is checked first all the same. */
  async function answerBadPath(
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    reply.headers({ 'x-request-id': request.id, ...answerHeaders });
    try {
      if (request.raw.url?.startsWith('/api/v1')) await authenticateRequest(options.callers, request);
      throw new AppError('not_found', 'There is no such path.', { cause: error });
    } catch (thrown) {
      sendProblem(toAppError(thrown), request, reply);
    }
  }

  return app;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What Fastify refuses itself, by its status; anything else that is thrown is a fault of ours. */
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

/** What is not HTTP gets an answer too, by hand: no request came of it. */
function answerMalformedRequest(socket: Socket): void {
  if (!socket.writable) return;
  const requestId = requestIdFrom(undefined);
  const error = new AppError('invalid_request', 'The request is not well-formed HTTP.');
  const body = JSON.stringify({ ...problemFrom(error, requestId), status: 400 });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nx-request-id: ${requestId}\r\n` +
      'cache-control: no-store\r\nx-content-type-options: nosniff\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
