import { setImmediate } from 'node:timers/promises';
import type { DescMethod } from '@bufbuild/protobuf';
import {
  type ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  createContextValues,
} from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { connectionAddressKey, plainAddress, viaPartKey } from '../auth/call-origin.ts';
import { principalKey } from '../auth/caller-context.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { isOpenMethod, limitsOf } from '../method-limits.ts';
import { type Call, unreadMs } from './call.ts';
import type { RequestGate } from './guard-service.ts';
import { createMemberCalls } from './member-calls.ts';
import { readMessages, tooLarge } from './message-reader.ts';

/** How long the message of a call may take to arrive: of a stranger, who sends a few hundred bytes, and of others. */
const messageTimeouts = { open: 5_000, known: 120_000 };
/** Bytes around the messages of a call with a known length; a stream may have more than one message. */
const maxEnvelopeBytes = 64;

export interface RequestListenerOptions extends NonNullable<Parameters<typeof createConnectRouter>[0]> {
  /** Adds the services. */
  routes(router: ConnectRouter): void;
  /** What stands before the methods of a service, by its full name; services without one are open to all. */
  gates?: ReadonlyMap<string, RequestGate>;
  metrics?: Metrics | undefined;
  /** 120,000 unless told, and 5,000 for methods that need no token. */
  messageTimeoutMs?: number;
}

export interface RequestListener {
  /** Answers a call. */
  answer(call: Call): void;
  /** Answers a call with an error, in its own protocol; cuts it where an answer has begun. */
  refuse(call: Call, error: ConnectError): void;
}

/**
 * Answers the calls of a listener. Who calls is found out from the headers alone, once the handler asks for the
 * message; then the message is read and held against the limits of its method, and only then decoded. Connect has an
 * adapter that begins with decoding; it also ends the process on a request with a malformed `:authority`.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { routes, gates = new Map(), metrics, messageTimeoutMs, ...router } = options;
  const memberCalls = createMemberCalls(() => performance.now());
  const connectRouter = createConnectRouter({ ...router, acceptCompression: [] });
  routes(connectRouter);
  const handlers = new Map(connectRouter.handlers.map((handler) => [handler.requestPath, handler]));

  async function answer(call: Call): Promise<void> {
    const handler = handlers.get(call.path);
    // A message in a URL would be decoded before anybody looks at it.
    if (handler === undefined || call.request.method !== 'POST') {
      call.response.writeHead(handler === undefined ? 404 : 405);
      call.end();
      return;
    }
    const { method } = handler;
    const gate = gates.get(method.parent.typeName);
    const isOpen = gate === undefined || isOpenMethod(method);
    if (!isOpen) call.allowUnread(unreadMs);
    const most = isOneMessage(method) ? limitsOf(method).maxRequestBytes : Number.POSITIVE_INFINITY;
    const pieces = isOpen ? call.readAtOnce(most + maxEnvelopeBytes) : call.read();
    // A call that was reset in the bytes that opened it costs no more than this.
    await setImmediate();
    if (call.isOver) return;
    const values = createContextValues().set(
      connectionAddressKey,
      plainAddress(call.connection.socket.remoteAddress),
    );
    const header = webHeaders(call);
    const declaredBytes = Number(header.get('content-length') ?? 0);

    async function* checkedMessages(): AsyncGenerator<Uint8Array, void> {
      try {
        await gate?.({ method, header, values });
      } finally {
        if (values.get(principalKey) !== undefined || values.get(viaPartKey)) call.connection.know();
      }
      if (call.isOver) return;
      try {
        memberCalls.count(values.get(principalKey), method);
        if (declaredBytes > limitsOf(method).maxRequestBytes + maxEnvelopeBytes) throw tooLarge(method);
        // The other side waits for this word where it passes the call of another on.
        call.askForMessage();
        cutWhenLate(call, method, messageTimeoutMs ?? messageTimeouts[isOpen ? 'open' : 'known']);
        yield* readMessages(pieces, method, header.get('content-type') ?? '');
      } catch (thrown) {
        const { code } = appErrorFromRpc(thrown);
        metrics?.rpc({ service: method.parent.typeName, method: method.name, code }, 0);
        throw thrown;
      }
    }
    await run(call, handler, { header, values, body: checkedMessages() });
  }

  return {
    answer(call) {
      // Errors of handlers have been answered and logged. What remains is a caller who left, or one that is too slow.
      answer(call).catch(() => call.cut());
    },
    refuse(call, error) {
      const handler = handlers.get(call.path);
      if (call.isOver) return;
      if (handler === undefined || call.response.headersSent) call.cut();
      else {
        const parts = { header: webHeaders(call), values: createContextValues(), body: failing(error) };
        run(call, handler, parts).catch(() => call.cut());
      }
    },
  };
}

/** Lets a handler of Connect answer a call. */
async function run(
  call: Call,
  handler: UniversalHandler,
  { header, values, body }: { header: Headers; values: ContextValues; body: AsyncIterable<Uint8Array> },
): Promise<void> {
  // Room for so many bytes would be made at once, before any of them is there.
  header.delete('content-length');
  const answer = await handler({
    httpVersion: call.request.httpVersion,
    method: 'POST',
    url: `http://rpc${call.path}`,
    header,
    body,
    signal: call.over,
    contextValues: values,
  });
  await call.answer(answer);
}

/** Cuts a call whose message is not there in time; streams of messages may take as long as they like. */
function cutWhenLate(call: Call, method: DescMethod, messageMs: number): void {
  if (!isOneMessage(method) || call.body.readableEnded) return;
  const timer = setTimeout(() => call.cut(), messageMs);
  const done = () => clearTimeout(timer);
  call.body.once('end', done).once('close', done);
}

function isOneMessage({ methodKind }: DescMethod): boolean {
  return methodKind === 'unary' || methodKind === 'server_streaming';
}

// biome-ignore lint/correctness/useYield: it has no messages, but an error
async function* failing(error: ConnectError): AsyncGenerator<Uint8Array, void> {
  throw error;
}

function webHeaders({ request }: Call): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(':') || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) web.append(name, one);
  }
  return web;
}
