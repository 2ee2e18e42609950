import { setImmediate } from 'node:timers/promises';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type ServiceImpl,
} from '@connectrpc/connect';
import type { UniversalHandler, UniversalHandlerOptions } from '@connectrpc/connect/protocol';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { connectionAddressKey, plainAddress, viaPartKey } from '../auth/call-origin.ts';
import { principalKey } from '../auth/caller-context.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { isOpenMethod } from '../method-limits.ts';
import type { Call } from './call.ts';
import type { RequestGate } from './guard-service.ts';
import { mostBytesOf, readMessage } from './message-reader.ts';
import { createMethodHandlers, type MethodImplementation } from './method-handlers.ts';

/** How long the message of a call may take to arrive: of a stranger, who sends a few hundred bytes, and of others. */
const messageTimeouts = { open: 5_000, known: 120_000 };

/** Adds a service with the methods that are implemented, and options of its own. */
export type AddService = <Service extends DescService>(
  descriptor: Service,
  implementation: Partial<ServiceImpl<Service>>,
  options?: Partial<UniversalHandlerOptions>,
) => void;

export interface RequestListenerOptions extends ConnectRouterOptions {
  /** Adds the services. */
  routes(add: AddService): void;
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

/** The call that a handler of Connect answers, and why it is refused at once. */
const callKey = createContextKey<{ call?: Call; refusal?: ConnectError }>({}, { description: 'the call' });

/**
 * Returns what answers the requests of a listener, in three steps: Connect's request gate identifies the caller by the
 * headers; the message is read and compared with the limits of its method; then it is decoded. Connect's own adapter does
 * not compare, and ends the process on a request with a malformed `:authority`.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { routes, gates = new Map(), metrics, messageTimeoutMs, ...shared } = options;
  const handlers = createMethodHandlers({ ...shared, acceptCompression: [], requestGate });
  routes((descriptor, implementation, own) => {
    const methods = implementation as Record<string, MethodImplementation | undefined>;
    for (const method of descriptor.methods)
      handlers.add(method, methods[method.localName]?.bind(implementation) ?? unimplemented(method), own);
  });

  const isOpen = (method: DescMethod) => !gates.has(method.parent.typeName) || isOpenMethod(method);

  async function requestGate({ method, values, requestHeader: header }: HandlerContext): Promise<void> {
    const { call, refusal } = values.get(callKey);
    if (refusal !== undefined) throw refusal;
    try {
      await gates.get(method.parent.typeName)?.({ method, header, values });
    } finally {
      if (values.get(principalKey) !== undefined || values.get(viaPartKey)) call?.connection.know();
    }
    call?.over.throwIfAborted();
    // The other side waits for this word where it passes the call of another on.
    call?.askForMessage();
    const timeoutMs = messageTimeoutMs ?? messageTimeouts[isOpen(method) ? 'open' : 'known'];
    if (call !== undefined && isOneMessage(method)) cutWhenLate(call, timeoutMs);
  }

  async function* messageOf(
    call: Call,
    method: DescMethod,
    pieces: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield await readMessage(pieces, method, call.request.headers['content-type'] ?? '');
    } catch (thrown) {
      // No handler hears of it.
      const { code } = appErrorFromRpc(thrown);
      metrics?.rpc({ service: method.parent.typeName, method: method.name, code }, 0);
      throw thrown;
    }
  }

  /** Lets a handler of Connect answer a call. */
  async function run(
    call: Call,
    handler: UniversalHandler,
    { body, refusal }: { body: AsyncIterable<Uint8Array>; refusal?: ConnectError },
  ): Promise<void> {
    const header = webHeaders(call);
    // Connect would make room for so many bytes at once, before any of them is there.
    header.delete('content-length');
    const contextValues = createContextValues()
      .set(callKey, { call, ...(refusal && { refusal }) })
      .set(connectionAddressKey, plainAddress(call.connection.socket.remoteAddress));
    const answer = await handler({
      httpVersion: call.request.httpVersion,
      method: 'POST',
      url: `http://rpc${call.path}`,
      header,
      body,
      signal: call.over,
      contextValues,
    });
    await call.answer(answer);
  }

  async function answer(call: Call): Promise<void> {
    const handler = handlers.get(call.path);
    // A message in a URL would be decoded before anybody looks at it.
    if (handler === undefined || call.request.method !== 'POST') {
      call.response.writeHead(handler === undefined ? 404 : 405);
      call.end();
      return;
    }
    const { method } = handler;
    const isOne = isOneMessage(method);
    const most = isOne ? mostBytesOf(method) : Number.POSITIVE_INFINITY;
    const pieces = isOpen(method) ? call.readAtOnce(most) : call.read();
    // A call that was reset in the bytes that opened it costs no more than this.
    await setImmediate();
    if (!call.isOver) await run(call, handler, { body: isOne ? messageOf(call, method, pieces) : pieces });
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
      else run(call, handler, { body: call.read(), refusal: error }).catch(() => call.cut());
    },
  };
}

/** Cuts a call whose message is not there in time. */
function cutWhenLate(call: Call, timeoutMs: number): void {
  if (call.body.readableEnded) return;
  const timer = setTimeout(() => call.cut(), timeoutMs);
  const done = () => clearTimeout(timer);
  call.body.once('end', done).once('close', done);
}

/** Streams of messages may take as long as they like. */
function isOneMessage({ methodKind }: DescMethod): boolean {
  return methodKind === 'unary' || methodKind === 'server_streaming';
}

function webHeaders({ request }: Call): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(':') || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) web.append(name, one);
  }
  return web;
}

function unimplemented({ parent, name }: DescMethod): MethodImplementation {
  return () => {
    throw new ConnectError(`${parent.typeName}.${name} is not implemented`, Code.Unimplemented);
  };
}
