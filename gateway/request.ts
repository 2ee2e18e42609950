import { randomUUID } from 'node:crypto';
import type { PermitHolder } from '@teammemory/admission/permits.ts';
import { networkOf, saneRequestId } from '@teammemory/rpc/auth/call-origin.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { isTracing, type OpenSpan, openSpan, within } from '@teammemory/telemetry/span.ts';
import { isClientName, mcpClientName, nameInMessages } from '@teammemory/vocabulary/client-name.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyReading, bodyReading, declaredBytes, tooLarge } from './bodies/read-body.ts';
import type { CallOrigin } from './clients.ts';

/** The caller of a request, and what only the gateway has to know of the key. */
export interface KeyCaller extends Caller {
  /** When the key expires, in milliseconds since the epoch; absent: never. */
  expiresAtMs?: number;
  /** The key's own limit; absent: the operator's. */
  itemWritesPerMinute?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every route below /api/v1 before anything else runs. */
    caller: KeyCaller;
    /** IP address of the client, as `createClientAddressOf` finds it. */
    readonly clientAddress: string;
    /** The body; set on every route except GET, by the last check before it is read. */
    reading: BodyReading;
  }
}

/** Returns the client's request id if it is valid, else a new one. Logs and answers contain it. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return saneRequestId(header) ?? randomUUID();
}

/** What clients that bring a key say that they are. */
const clientNameHeader = 'x-svc-client';
/** Pages of the dashboard, which have a session. A client with a key is none, whatever it says. */
const dashboard = 'browser';

/**
 * Returns with which program a request was made, as far as the program says so itself: a claim, which is noted for people
 * and decides nothing. Undefined where nothing, or no plain name, is said.
 */
export function clientNameOf(
  request: Pick<FastifyRequest, 'headers' | 'body' | 'routeOptions'>,
): string | undefined {
  const { headers, body, routeOptions } = request;
  // Most programs tell their name once, in a request of its own, of which nothing is kept.
  if (routeOptions.url?.startsWith('/mcp'))
    return mcpClientName(nameInMessages(body) ?? headers['user-agent']?.split('/')[0]);
  if (headers.authorization === undefined) return dashboard;
  const name = headers[clientNameHeader];
  return typeof name === 'string' && name !== dashboard && isClientName(name) ? name : undefined;
}

/** Returns where a request comes from, for the calls that are made for it. */
export function originOf(
  request: Pick<FastifyRequest, 'id' | 'clientAddress' | 'headers' | 'body' | 'routeOptions'>,
): CallOrigin {
  const { id, clientAddress } = request;
  return { requestId: id, clientAddress, clientName: clientNameOf(request) };
}

/** Returns for whom the permits of a request count. */
export function holderOf({ caller, clientAddress }: FastifyRequest): PermitHolder {
  return { teamId: caller.teamId, keyId: caller.keyId, address: networkOf(clientAddress) };
}

/** Returns for whom they count while nobody is known: strangers of one address share what one of them may have. */
export function strangerOf({ clientAddress }: FastifyRequest): PermitHolder {
  const address = networkOf(clientAddress);
  return { teamId: `strangers of ${address}`, keyId: `a stranger of ${address}`, address };
}

/**
 * Prepares the reading of a body whose sender is not known yet.
 * @throws AppError `payload_too_large` for a body whose declared length exceeds its bounds.
 */
export function prepareStrangersBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { bounds, budget }: Pick<Parameters<typeof bodyReading>[0], 'bounds' | 'budget'>,
): void {
  if ((declaredBytes(request.raw) ?? 0) > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
  const holder = strangerOf(request);
  request.reading = bodyReading({ payload: request.raw, bounds, encoding: undefined, holder, budget });
  reply.raw.once('close', request.reading.release);
}

/** Returns the log fields that identify a request and its caller; no caller before the key is known to be valid. */
export function requestFields({ id, caller }: FastifyRequest): {
  request_id: string;
  key_id?: string;
  team?: string;
} {
  if (caller === undefined) return { request_id: id };
  return { request_id: id, key_id: caller.keyId, team: caller.teamSlug };
}

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
