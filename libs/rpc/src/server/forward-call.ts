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
import { isOpenMethod, limitsOf } from '../method-limits.ts';
import type { CallBudgets, CallCharge } from './call-budgets.ts';
import type { CallStream } from './call-stream.ts';
import { connectionOf, markKnown, resetStream } from './guard-connection.ts';
import { tooLarge } from './message-reader.ts';
import { refuseCall } from './refusals.ts';
import { viaPartHeader } from './request-gate.ts';
import { cutWhenUnread, endAnswer, stopWaiting } from './respond.ts';

const { NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;

/** Longest time of a call, and its time without a deadline; services allow the same. */
const maxTimeoutMs = 120_000;
/** The service ends a call at its deadline by itself, in better words; only a hung one is waited for so long. */
const graceMs = 1_000;
/** Processes that are tried until one takes the call. */
const maxAttempts = 3;
/** An answer or a message that stands still for so long is cut. */
const stillMs = 30_000;
/** Bytes around the messages of a call. */
const maxEnvelopeBytes = 64;

/** A call as it arrived. */
export interface IncomingCall {
  stream: CallStream;
  headers: IncomingHttpHeaders;
  /** Flags of the frame that brought the headers. */
  flags: number;
  method: DescMethod;
}

/** Where calls go, and what they may take on their way. */
export interface ForwardOptions {
  endpoints: Endpoints;
  budgets: CallBudgets;
  serviceToken: ServiceToken | undefined;
}

/** Ends a call with an error, if it is still under way. */
export type EndCall = (error: ConnectError) => void;

/**
 * Passes a call unchanged to an endpoint, and the answer back: headers, data with back-pressure,
 * trailers and resets, in both directions. It reads nothing of the message until the endpoint asks for
 * it, which it does once it has authenticated the caller. Returns a function that ends the call.
 */
export function forwardCall(call: IncomingCall, options: ForwardOptions): EndCall {
  const { stream, headers, method } = call;
  const deadline = callDeadline(headers, maxTimeoutMs);
  let upstream: ClientHttp2Stream | undefined;

  const end: EndCall = (error) => {
    if (stream.headersSent) resetStream(stream);
    else refuseCall(stream, headers, error);
    upstream?.close(NGHTTP2_CANCEL);
  };
  const timer = setTimeout(
    () => end(new ConnectError('the operation timed out', Code.DeadlineExceeded)),
    deadline.timeoutMs + graceMs,
  );
  stream.once('close', () => {
    clearTimeout(timer);
    upstream?.close(stream.rstCode === NGHTTP2_NO_ERROR ? NGHTTP2_CANCEL : stream.rstCode);
  });
  begin(call, options, { ...headers, ...deadline.header }).then(({ opened, charge, isWhole }) => {
    upstream = opened;
    if (stream.destroyed || stream.closed) {
      opened.close(NGHTTP2_CANCEL);
      return;
    }
    passAnswer(opened, stream, end);
    passTrailers(stream, opened);
    const known = () => {
      if (isOpenMethod(method)) return;
      markKnown(stream);
      connectionOf(stream)?.raise('caller');
    };
    if (isWhole) {
      // With no message there is nothing to wait for: the answer tells.
      opened.once('response', ({ ':status': status, 'grpc-status': grpcStatus }) => {
        if (status === 200 && Number(grpcStatus ?? 0) !== Code.Unauthenticated) known();
      });
      return;
    }
    opened.once('continue', () => {
      known();
      if (headers.expect === '100-continue') stream.additionalHeaders({ ':status': 100 });
      passMessage(call, opened, charge, end);
    });
  }, end);
  return end;
}

interface Begun {
  opened: ClientHttp2Stream;
  charge: CallCharge;
  isWhole: boolean;
}

/** Opens the call at a process. @throws ConnectError where there is no room for it, or none can be reached. */
async function begin(
  { stream, flags, method }: IncomingCall,
  { endpoints, budgets, serviceToken }: ForwardOptions,
  headers: IncomingHttpHeaders,
): Promise<Begun> {
  // Whose it is, the service knows: here it is one of its address.
  const address = connectionOf(stream)?.peer.address;
  const charge = budgets.begin({ principal: undefined, isOpen: isOpenMethod(method), address, method });
  stream.once('close', charge.end);
  const isWhole = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
  const outgoing: OutgoingHttpHeaders = { ...headers };
  // Those of the next connection are its own.
  delete outgoing[':scheme'];
  delete outgoing[':authority'];
  // Nobody else says these.
  delete outgoing[viaPartHeader];
  outgoing[clientAddressHeader] = plainAddress(connectionOf(stream)?.peer.socket.remoteAddress);
  delete outgoing.expect;
  if (!isWhole) outgoing.expect = '100-continue';
  const audience = method.parent.typeName.split('.')[1] ?? '';
  if (serviceToken !== undefined) outgoing[viaPartHeader] = await serviceToken(audience);
  const kind = method.methodKind === 'unary' ? 'unary' : 'stream';
  const opened = await openStream(endpoints, (endpoint) =>
    endpoint.request(kind, outgoing, { endStream: isWhole, waitForTrailers: true }),
  );
  return { opened, charge, isWhole };
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

/** Passes the message on as fast as the process takes it; what is here meanwhile is charged. */
function passMessage(
  { stream, method }: IncomingCall,
  upstream: ClientHttp2Stream,
  charge: CallCharge,
  end: EndCall,
): void {
  const isOneMessage = method.methodKind === 'unary' || method.methodKind === 'server_streaming';
  const { maxRequestBytes } = limitsOf(method);
  let passed = 0;
  if (isOneMessage) cutWhenUnread(stream, stillMs);
  stream.on('data', (chunk: Buffer) => {
    passed += chunk.length;
    connectionOf(stream)?.took(chunk.length);
    if (isOneMessage && passed > maxRequestBytes + maxEnvelopeBytes) {
      stream.pause();
      end(tooLarge({ method, charge }));
      return;
    }
    try {
      charge.hold(chunk.length);
    } catch (error) {
      stream.pause();
      end(ConnectError.from(error));
      return;
    }
    if (!upstream.write(chunk, () => charge.note(-chunk.length))) stream.pause();
  });
  upstream.on('drain', () => stream.resume());
  const ended = () => {
    stopWaiting(stream);
    upstream.end();
  };
  // Without a message the end may have been told before.
  if (stream.readableEnded) ended();
  else stream.once('end', ended);
}

function passAnswer(upstream: ClientHttp2Stream, stream: CallStream, end: EndCall): void {
  let isWhole = false;
  const isOpen = () => !stream.destroyed && !stream.closed;
  upstream.once('response', (headers, flags) => {
    if (!isOpen()) return;
    const endStream = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(headers, { endStream, waitForTrailers: !endStream });
    if (endStream) upstream.resume();
  });
  upstream.on('data', (chunk: Buffer) => {
    if (!isOpen() || stream.write(chunk)) return;
    upstream.pause();
    cutWhenUnread(stream, stillMs);
  });
  stream.on('drain', () => {
    stopWaiting(stream);
    upstream.resume();
  });
  upstream.once('end', () => {
    isWhole = true;
    if (isOpen() && stream.headersSent && !stream.writableEnded) {
      endAnswer(stream, { unreadTimeoutMs: stillMs, hasTrailers: true });
    }
  });
  upstream.once('close', () => {
    if (!isWhole) end(unavailable());
  });
  passTrailers(upstream, stream);
}

function passTrailers(from: CallStream | ClientHttp2Stream, to: CallStream | ClientHttp2Stream) {
  let trailers: IncomingHttpHeaders = {};
  from.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  to.once('wantTrailers', () => to.sendTrailers(trailers));
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
