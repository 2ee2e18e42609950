import type { IncomingHttpHeaders } from 'node:http2';
import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  createContextValues,
} from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import { principalKey } from '../auth/caller-context.ts';
import { connectionAddressKey, plainAddress, viaPartKey } from '../auth/client-address.ts';
import type { Standing } from '../connection-limits.ts';
import { isOpenMethod, limitsOf } from '../method-limits.ts';
import type { CallBudgets, CallCharge } from './call-budgets.ts';
import { type CallStream, Http1Call, type OnStream } from './call-stream.ts';
import { type Connection, connectionOf, markKnown, resetStream } from './guard-connection.ts';
import { checkQuery, messageFormOf, readEagerly, readMessages, tooLarge } from './message-reader.ts';
import { chargeKey, decodedKey, refuseCall } from './refusals.ts';
import type { RequestGate } from './request-gate.ts';
import { cutWhenUnread, respond, stopWaiting } from './respond.ts';

/** How long the message of a call may take to arrive, and an answer or a message may stand still. */
const patience: Record<'open' | 'known', { messageMs: number; stillMs: number }> = {
  // A message of a few hundred bytes; whoever sends it owes us nothing.
  open: { messageMs: 10_000, stillMs: 5_000 },
  known: { messageMs: 120_000, stillMs: 30_000 },
};

export interface RequestListenerOptions extends NonNullable<Parameters<typeof createConnectRouter>[0]> {
  /** Adds the services. */
  routes(router: ConnectRouter): void;
  /** What stands before the methods of a service, by its full name; services without one are open to all. */
  gates?: ReadonlyMap<string, RequestGate>;
  budgets: CallBudgets;
  /** 120,000 unless told, and 10,000 for methods that need no token. */
  messageTimeoutMs?: number;
}

/**
 * Answers the calls of a listener: who calls is found out from the
 * headers alone, then the budgets are asked, then the message is read and held
 * against the limits of its method, and only then decoded. Connect has an
 * adapter that begins with decoding; it also ends the process on a request with
 * a malformed `:authority`.
 */
export function createRequestListener({
  routes,
  gates = new Map(),
  budgets,
  messageTimeoutMs,
  ...options
}: RequestListenerOptions): OnStream {
  const router = createConnectRouter({ ...options, acceptCompression: [] });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  async function answer(stream: CallStream, headers: IncomingHttpHeaders): Promise<void> {
    const [path = '', query = ''] = (headers[':path'] ?? '').split('?', 2);
    const handler = handlers.get(path);
    if (handler === undefined) throw new ConnectError('there is no such method', Code.Unimplemented);
    const { method } = handler;
    const gate = gates.get(method.parent.typeName);
    const isOpen = gate === undefined || isOpenMethod(method);
    const connection = connectionOf(stream);
    const header = webHeaders(headers);
    const values = createContextValues().set(
      connectionAddressKey,
      plainAddress(connection?.peer.socket.remoteAddress),
    );
    const begin = () =>
      budgets.begin({
        principal: isOpen ? undefined : values.get(principalKey),
        isOpen,
        address: values.get(viaPartKey) ? undefined : connection?.peer.address,
        method,
      });
    await passGate({ method, header, values }, gate, connection, () => {
      const denied = begin();
      denied.refused('denied');
      denied.end();
    });
    if (!isOpen) markKnown(stream);
    if (stream.destroyed || stream.closed) return;
    const charge = begin();
    stream.once('close', charge.end);
    // The other side waits for this word where it passes the call of another on.
    if (headers.expect === '100-continue') stream.additionalHeaders({ ':status': 100 });
    const times = { ...patience[isOpen ? 'open' : 'known'] };
    if (messageTimeoutMs !== undefined) times.messageMs = messageTimeoutMs;
    values.set(chargeKey, charge);
    const request = requestOf(stream, headers, {
      handler,
      query,
      header,
      values,
      charge,
      connection,
      isOpen,
      times,
    });
    const response = await handler(request);
    await respond(stream, response, { unreadTimeoutMs: times.stillMs, onBytes: charge.note });
    if (!values.get(decodedKey)) charge.refused('invalid');
  }

  return (stream, headers) => {
    answer(stream, headers).catch((error: unknown) => {
      // Errors of handlers have been answered and logged. What remains is a refused call, an unreadable request, or a
      // caller who left.
      if (stream.headersSent) resetStream(stream);
      else refuseCall(stream, headers, error instanceof ConnectError ? error : unreadable());
    });
  };
}

async function passGate(
  call: { method: DescMethod; header: Headers; values: ContextValues },
  gate: RequestGate | undefined,
  connection: Connection | undefined,
  chargeDenied: () => void,
): Promise<void> {
  try {
    await gate?.(call);
  } catch (thrown) {
    // Who it is was found out, and that they may not: it counts against their key.
    if (call.values.get(principalKey) !== undefined) chargeDenied();
    throw thrown;
  } finally {
    const standing = standingOf(call.values);
    if (standing !== undefined) connection?.raise(standing);
  }
}

/** Who is at the other end of a connection by a call on it; undefined where that is not known. */
function standingOf(values: ContextValues): Standing | undefined {
  if (values.get(viaPartKey)) return 'part';
  const principal = values.get(principalKey);
  if (principal === undefined) return undefined;
  return principal.kind !== 'administrator' && principal.direct !== true ? 'part' : 'caller';
}

interface CallParts {
  handler: UniversalHandler;
  query: string;
  header: Headers;
  values: ContextValues;
  charge: CallCharge;
  connection: Connection | undefined;
  isOpen: boolean;
  times: { messageMs: number; stillMs: number };
}

/** Makes the request that a handler of Connect takes. @throws ConnectError where its headers say that it is too long. */
function requestOf(
  stream: CallStream,
  headers: IncomingHttpHeaders,
  parts: CallParts,
): UniversalServerRequest {
  const { handler, query, header, values, charge } = parts;
  const { method } = handler;
  const url = `http://${headers[':authority'] ?? headers.host ?? 'localhost'}${headers[':path']}`;
  if (!URL.canParse(url)) throw unreadable();
  const length = Number(header.get('content-length') ?? 0);
  if (length > limitsOf(method).maxRequestBytes + maxEnvelopeBytes) throw tooLarge({ method, charge });
  // Room for so many bytes would be made at once, before any of them is there.
  header.delete('content-length');
  const form = messageFormOf(headers['content-type']);
  if (headers[':method'] === 'GET') {
    const unaryForm = { isEnveloped: false, isBinary: false };
    checkQuery(new URLSearchParams(query), { method, form: unaryForm, charge });
  }
  const aborted = new AbortController();
  stream.once('close', () =>
    aborted.abort((stream.rstCode ?? 0) === 0 ? callIsOver : callerIsGone(stream.rstCode)),
  );
  return {
    httpVersion: stream instanceof Http1Call ? '1.1' : '2',
    method: headers[':method'] ?? '',
    url,
    header,
    body: form === undefined ? noBytes() : readMessages(chunksOf(stream, parts), { method, form, charge }),
    signal: aborted.signal,
    contextValues: values,
  };
}

/** Bytes around the messages of a call with a known length; a stream may have more than one message. */
const maxEnvelopeBytes = 64;

/** The bytes of a call as they arrive; its stream is cut where they do not. */
async function* chunksOf(stream: CallStream, parts: CallParts): AsyncGenerator<Uint8Array, void> {
  const { isOpen, connection, times } = parts;
  const { method } = parts.handler;
  const isOneMessage = method.methodKind === 'unary' || method.methodKind === 'server_streaming';
  const timer = isOneMessage ? setTimeout(() => resetStream(stream), times.messageMs) : undefined;
  if (isOneMessage) cutWhenUnread(stream, times.stillMs);
  const done = () => {
    clearTimeout(timer);
    stopWaiting(stream);
  };
  stream.once('close', done);
  if (isOpen && connection !== undefined) {
    let held = 0;
    stream.once('close', () => connection.release(held));
    yield* readEagerly(stream, (bytes) => {
      held += bytes;
      connection.hold(bytes);
    });
  } else {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      connection?.took(chunk.length);
      yield chunk;
    }
  }
  done();
}

async function* noBytes(): AsyncGenerator<Uint8Array, void> {
  // A type of content that no protocol has is refused before anything is read.
}

/** Made once: each takes a stack trace. */
const callIsOver = new ConnectError('the call is over', Code.Canceled);

function callerIsGone(code: number | undefined): ConnectError {
  return new ConnectError(`the caller ended the call with HTTP/2 code ${code}`, Code.Canceled);
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(':') || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) web.append(name, one);
  }
  return web;
}

function unreadable(): ConnectError {
  return new ConnectError('the request cannot be read', Code.InvalidArgument);
}
