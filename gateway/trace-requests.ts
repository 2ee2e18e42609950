import { isTracing, type OpenSpan, openSpan, within } from '@teammemory/telemetry/span.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A status from here on marks the span as a fault. */
const firstFaultStatus = 500;

/**
 * Opens a span for every request in the trace of its `traceparent`, with route
 * pattern, method and status. The span ends when the answer was sent or the reader
 * has gone, so the span of a stream ends with the stream. Without tracing this
 * adds nothing to a request.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers;
    const span = openSpan(`${request.method} ${routeOf(request)}`, 'server', {
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    spans.set(request, span);
    reply.raw.once('close', () => endSpan(span, request, reply));
    within(span, done);
  });
  // The end of a body is an event of the socket, so what follows would run outside the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else within(span, done);
  });
}

/** Returns the pattern of a request's route. Its path could contain anything. */
export function routeOf(request: Pick<FastifyRequest, 'routeOptions'>): string {
  return request.routeOptions.url ?? 'none';
}

function endSpan(span: OpenSpan, request: FastifyRequest, { raw }: FastifyReply): void {
  const { caller } = request;
  const isFault = raw.statusCode >= firstFaultStatus;
  const attributes = {
    'http.request.method': request.method,
    'http.route': routeOf(request),
    'http.response.status_code': raw.statusCode,
    'request.id': request.id,
    ...(caller === undefined ? {} : { 'team.id': caller.teamId, 'key.id': caller.keyId }),
    ...(raw.writableFinished ? {} : { aborted: true }),
  };
  span.end(attributes, isFault ? { code: raw.statusCode } : undefined);
}
