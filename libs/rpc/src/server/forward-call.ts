import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { parseTimeout as parseConnectTimeout } from '@connectrpc/connect/protocol-connect';
import { parseTimeout as parseGrpcTimeout } from '@connectrpc/connect/protocol-grpc';
import type { ServiceToken } from '../auth/caller-token.ts';
import { clientAddressHeader, plainAddress } from '../auth/client-address.ts';
import type { Endpoint } from '../client/endpoint.ts';
import type { Endpoints } from '../client/endpoints.ts';
import { isOpenMethod } from '../method-limits.ts';
import type { Call } from './call.ts';
import { viaPartHeader } from './request-gate.ts';

/** Longest time of a call, and its time without a deadline; services allow the same. */
const maxTimeoutMs = 120_000;
/** The service ends a call at its deadline by itself, in better words; only a hung one is waited for so long. */
const graceMs = 1_000;
/** Processes that are tried until one takes the call. */
const maxAttempts = 3;
/** An answer that nobody reads for so long is cut. */
const stillMs = 30_000;
/** Headers of one connection that the next must not be told (RFC 9110, section 7.6.1), and those that only we say. */
const ownHeaders = [
  ...['connection', 'host', 'http2-settings', 'keep-alive', 'proxy-connection', ':scheme', ':authority'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', viaPartHeader],
];

/** Where a call goes. */
export interface ForwardOptions {
  method: DescMethod;
  endpoints: Endpoints;
  serviceToken: ServiceToken | undefined;
  /** Answers a call with an error, in its own protocol; cuts it where an answer has begun. */
  refuse(call: Call, error: ConnectError): void;
}

/** Ends a call with an error, if it is still under way. */
export type EndCall = (error: ConnectError) => void;

/**
 * Passes a call unchanged to an endpoint, and the answer back, with back-pressure in both directions. It reads nothing
 * of the message until the endpoint asks for it, which it does once it has authenticated the caller. Returns a function
 * that ends the call.
 */
export function forwardCall(call: Call, options: ForwardOptions): EndCall {
  const { method, refuse } = options;
  const deadline = callDeadline(call.request.headers, maxTimeoutMs);
  let upstream: ClientHttp2Stream | undefined;
  const end: EndCall = (error) => {
    if (!call.isOver) refuse(call, error);
    upstream?.close(constants.NGHTTP2_CANCEL);
  };
  const timer = setTimeout(
    () => end(new ConnectError('the operation timed out', Code.DeadlineExceeded)),
    deadline.timeoutMs + graceMs,
  );
  call.response.once('close', () => {
    clearTimeout(timer);
    upstream?.close(constants.NGHTTP2_CANCEL);
  });
  begin(call, options, deadline.header).then((opened) => {
    upstream = opened;
    if (call.isOver) {
      opened.close(constants.NGHTTP2_CANCEL);
      return;
    }
    passAnswer(opened, call, () => end(unavailable()));
    if (call.hasNoMessage) {
      call.body.resume();
      return;
    }
    opened.once('continue', () => {
      // The service knows who it is.
      if (!isOpenMethod(method)) call.connection.raise('caller');
      call.askForMessage();
      call.body.pipe(opened);
    });
  }, end);
  return end;
}

/** Opens the call at a process. @throws ConnectError where none can be reached. */
async function begin(
  call: Call,
  { method, endpoints, serviceToken }: ForwardOptions,
  deadline: Record<string, string>,
): Promise<ClientHttp2Stream> {
  const outgoing: OutgoingHttpHeaders = { ...call.request.headers, ...deadline };
  for (const name of ownHeaders) delete outgoing[name];
  outgoing[':method'] = call.request.method;
  outgoing[':path'] = call.request.url;
  outgoing[clientAddressHeader] = plainAddress(call.connection.socket.remoteAddress);
  if (!call.hasNoMessage) outgoing.expect = '100-continue';
  const audience = method.parent.typeName.split('.')[1] ?? '';
  if (serviceToken !== undefined) outgoing[viaPartHeader] = await serviceToken(audience);
  const kind = method.methodKind === 'unary' ? 'unary' : 'stream';
  return openStream(endpoints, (endpoint) =>
    endpoint.request(kind, outgoing, { endStream: call.hasNoMessage }),
  );
}

async function openStream(
  endpoints: Endpoints,
  request: (endpoint: Endpoint) => Promise<ClientHttp2Stream>,
): Promise<ClientHttp2Stream> {
  const tried = new Set<Endpoint>();
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    const endpoint = endpoints.choose(undefined, tried);
    if (endpoint === undefined) break;
    tried.add(endpoint);
    // Nothing was sent where it fails, so that another process may be asked.
    const opened = await request(endpoint).catch(() => undefined);
    if (opened !== undefined) return opened;
  }
  throw unavailable();
}

function passAnswer(upstream: ClientHttp2Stream, call: Call, fail: () => void): void {
  const { response } = call;
  let isWhole = false;
  upstream.once('response', ({ ':status': status = 502, ...headers }, flags) => {
    if (call.isOver) return;
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? '');
    // Headers that are the whole answer go out as such, with its end.
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) response.flushHeaders();
  });
  upstream.once('trailers', (trailers) => response.addTrailers(trailers as OutgoingHttpHeaders));
  upstream.pipe(response, { end: false });
  upstream.once('end', () => {
    isWhole = true;
    call.end(stillMs);
  });
  upstream.once('close', () => {
    if (!isWhole) fail();
  });
}

function unavailable(): ConnectError {
  return new ConnectError('a part of the service cannot be reached', Code.Unavailable);
}

/**
 * How long a call may take by its headers, at most `maxMs`, and the header that
 * tells so to whom the call is passed on. A deadline that cannot be read is
 * left as it is: the service refuses the call.
 */
export function callDeadline(
  headers: IncomingHttpHeaders,
  maxMs: number,
): { timeoutMs: number; header: Record<string, string> } {
  const isGrpc = headers['content-type']?.startsWith('application/grpc') ?? false;
  const name = isGrpc ? 'grpc-timeout' : 'connect-timeout-ms';
  const parse = isGrpc ? parseGrpcTimeout : parseConnectTimeout;
  const asked = headers[name];
  const { timeoutMs: askedMs = maxMs, error } = parse(asked === undefined ? null : String(asked), Infinity);
  if (error !== undefined) return { timeoutMs: maxMs, header: {} };
  const timeoutMs = Math.ceil(Math.min(askedMs, maxMs));
  return { timeoutMs, header: { [name]: isGrpc ? `${timeoutMs}m` : String(timeoutMs) } };
}
