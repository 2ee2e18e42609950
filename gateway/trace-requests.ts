import { isTracing, type OpenSpan, openSpan, within } from '@teammemory/telemetry/span.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A status from here on is a fault of ours, and so is its span. */
const firstFaultStatus = 500;

/**
 * Makes every request a span of the trace that its `traceparent` names, with
 * route pattern, method and status. It ends when the answer has left or its
 * reader has gone, so that of a stream ends with the stream. While nothing is
 * traced requests go by as they are.
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
  // The end of a body is an event of the connection, and what follows runs outside of the span again.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else within(span, done);
  });
}

/** The pattern of the route that a request met; its path may hold anything. */
export function routeOf(request: FastifyRequest): string {
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
