import type { ClientHttp2Stream } from 'node:http2';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { ConnectError, type ContextValues, createContextKey, type Transport } from '@connectrpc/connect';
import { createAsyncIterable, type UniversalClientFn } from '@connectrpc/connect/protocol';
import { createTransport } from '@connectrpc/connect/protocol-connect';
import { createNodeHttpClient } from '@connectrpc/connect-node';
import { maxAnswerBytes } from '../connection-limits.ts';
import type { CallKind, Endpoint } from './endpoint.ts';
import { createEndpoints, type EndpointsOptions } from './endpoints.ts';
import { connectErrorOfNetwork, NetworkFailure, networkFailureOf } from './network-failure.ts';
import { tracedTransport } from './traced-transport.ts';

/** How long a call without a deadline of its own may take. */
const defaultTimeoutMs: Record<CallKind, number> = { unary: 30_000, stream: 120_000 };
/** How often a call is sent: more would pass a fault of all processes on as load. */
const maxAttempts = 3;

/** Set among a call's context values, calls with the same key go to the same endpoint while it can be reached. */
export const affinityKey = createContextKey<string | undefined>(undefined, {
  description: 'what decides which endpoint takes the call',
});

/** Set by the transport among a call's context values when an earlier attempt may have run and its answer was lost. */
export const repeatedKey = createContextKey(false, { description: 'whether the call may have run before' });

export interface NetworkTransportOptions extends EndpointsOptions {
  /** The processes of one part, as `http://host:port` or `https://host:port`; a name stands for all its addresses. */
  urls: readonly string[];
}

/** A transport with connections of its own. */
export interface NetworkTransport extends Transport {
  /** Resolves when there is a connection to a endpoint. @throws AppError `unavailable` within 4 seconds. */
  ready(): Promise<void>;
  /** How many processes there are now. */
  endpoints(): number;
  /** Cuts its connections; calls under way fail as unavailable. */
  close(): Promise<void>;
}

/** A call and the limits on its attempts. */
interface Call {
  kind: CallKind;
  method: DescMethod;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  values: ContextValues | undefined;
  maxAttempts: number;
}

/**
 * A transport to the processes of one part, by Connect over HTTP/2.
 *
 * A endpoint that cannot be reached gets no calls until a connection succeeds;
 * with none left a call fails at once. A call that reached no handler is sent
 * to another endpoint; one that may have reached a handler only if its method
 * says in the proto that it may run twice (`idempotency_level`). All faults of
 * the network are `unavailable`.
 */
export function createNetworkTransport(options: NetworkTransportOptions): NetworkTransport {
  const { urls, metrics } = options;
  const endpoints = createEndpoints(urls, options);
  const transports = new WeakMap<Endpoint, Record<CallKind, Transport>>();

  function transportTo(endpoint: Endpoint): Record<CallKind, Transport> {
    const known = transports.get(endpoint);
    if (known !== undefined) return known;
    const made = { unary: transportOf(endpoint, 'unary'), stream: transportOf(endpoint, 'stream') };
    transports.set(endpoint, made);
    return made;
  }

  /** Sends a call until it is answered, refused, or out of time, attempts or processes. */
  async function send<Answer>(
    call: Call,
    attempt: (transport: Transport, timeoutMs: number) => Promise<Answer>,
  ): Promise<Answer> {
    const deadlineMs = performance.now() + (call.timeoutMs ?? defaultTimeoutMs[call.kind]);
    const tried = new Set<Endpoint>();
    let failure: unknown;
    for (let attempts = 1; attempts <= call.maxAttempts; attempts += 1) {
      const endpoint = endpoints.choose(call.values?.get(affinityKey), tried);
      if (endpoint === undefined) break;
      if (attempts > 1) metrics?.rpcClientEvent({ process: endpoint.host, event: 'retried' });
      tried.add(endpoint);
      try {
        // Whole numbers travel; 0 would mean none.
        const leftMs = Math.max(1, Math.ceil(deadlineMs - performance.now()));
        return await attempt(transportTo(endpoint)[call.kind], leftMs);
      } catch (thrown) {
        failure = thrown;
        if (call.signal?.aborted || performance.now() >= deadlineMs || !mayRepeat(thrown, call)) break;
        if (!isUnreached(thrown)) call.values?.set(repeatedKey, true);
      }
    }
    throw failure ?? noEndpoint();
  }

  return tracedTransport({
    unary(method, signal, timeoutMs, header, message, values) {
      const call: Call = { kind: 'unary', method, signal, timeoutMs, values, maxAttempts };
      return send(call, (transport, leftMs) =>
        transport.unary(method, signal, leftMs, header, message, values),
      );
    },
    async stream(method, signal, timeoutMs, header, messages, values) {
      const call: Call = { kind: 'stream', method, signal, timeoutMs, values, maxAttempts };
      if (method.methodKind !== 'server_streaming') {
        // Messages taken from the caller cannot be had again.
        return send({ ...call, maxAttempts: 1 }, (transport, leftMs) =>
          transport.stream(method, signal, leftMs, header, messages, values),
        );
      }
      const question = await Array.fromAsync(messages);
      return send(call, (transport, leftMs) =>
        transport.stream(method, signal, leftMs, header, createAsyncIterable(question), values),
      );
    },
    ready: endpoints.ready,
    endpoints: endpoints.size,
    async close() {
      endpoints.close();
    },
  });
}

function transportOf(endpoint: Endpoint, kind: CallKind): Transport {
  return createTransport({
    baseUrl: endpoint.origin,
    httpClient: createEndpointClient(endpoint, kind),
    useBinaryFormat: true,
    interceptors: [],
    // Between our own parts it costs more than it saves.
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 0,
    readMaxBytes: maxAnswerBytes,
    writeMaxBytes: maxAnswerBytes,
  });
}

function mayRepeat(thrown: unknown, { method }: Call): boolean {
  if (!(thrown instanceof ConnectError && thrown.cause instanceof NetworkFailure)) return false;
  return isUnreached(thrown) || method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
}

function isUnreached(thrown: unknown): boolean {
  return thrown instanceof ConnectError && thrown.cause instanceof NetworkFailure && thrown.cause.isUnreached;
}

function noEndpoint(): ConnectError {
  return connectErrorOfNetwork(new NetworkFailure('no endpoint can be reached', { isUnreached: true }));
}

/**
 * An HTTP client for Connect that sends everything to one endpoint. Whatever
 * fails below HTTP becomes an `unavailable` error with a NetworkFailure as its
 * cause, but for calls that their own caller or deadline ended.
 */
function createEndpointClient(endpoint: Endpoint, kind: CallKind): UniversalClientFn {
  return async (call) => {
    let stream: ClientHttp2Stream | undefined;
    const translated = (thrown: unknown) =>
      call.signal?.aborted ? thrown : connectErrorOfNetwork(networkFailureOf(thrown, stream));
    // Made for each call: only so is its stream known, which tells whether a handler can have seen the call.
    const send = createNodeHttpClient({
      httpVersion: '2',
      sessionProvider: () => ({
        authority: endpoint.origin,
        async request(method, path, headers, options) {
          stream = await endpoint.request(kind, { ...headers, ':method': method, ':path': path }, options);
          return stream;
        },
        notifyResponseByteRead: () => undefined,
      }),
    });
    try {
      const response = await send(call);
      return { ...response, body: translateErrors(response.body, translated) };
    } catch (thrown) {
      throw translated(thrown);
    }
  };
}

async function* translateErrors<Chunk>(
  chunks: AsyncIterable<Chunk>,
  translated: (thrown: unknown) => unknown,
): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (thrown) {
    throw translated(thrown);
  }
}
