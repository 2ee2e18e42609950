import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { ConnectError, type ContextValues, createContextKey, type Transport } from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';
import { createTransport } from '@connectrpc/connect/protocol-connect';
import { answerMaxBytes } from '../server/connection-limits.ts';
import { connectErrorOfNetwork, NetworkFailure } from './network-failure.ts';
import { createProcessClient } from './process-client.ts';
import type { ProcessGroupOptions } from './process-group.ts';
import { createProcessPool } from './process-pool.ts';
import type { Lane, RemoteProcess } from './remote-process.ts';
import { tracedTransport } from './traced-transport.ts';

/** How long a call without a deadline of its own may take. */
const defaultTimeoutMs: Record<Lane, number> = { unary: 30_000, stream: 120_000 };
/** How often a call is sent: more would pass a fault of all processes on as load. */
const attemptsMax = 3;

/** Set among a call's context values, calls with the same key go to the same process while it can be reached. */
export const affinityKey = createContextKey<string | undefined>(undefined, {
  description: 'what decides which process takes the call',
});

/** Set by the transport among a call's context values when an earlier attempt may have run and its answer was lost. */
export const repeatedKey = createContextKey(false, { description: 'whether the call may have run before' });

export interface NetworkTransportOptions extends ProcessGroupOptions {
  /** The processes of one part, as `http://host:port` or `https://host:port`; a name stands for all its addresses. */
  urls: readonly string[];
}

/** A transport with connections of its own. */
export interface NetworkTransport extends Transport {
  /** Resolves when there is a connection to a process. @throws AppError `unavailable` within 4 seconds. */
  ready(): Promise<void>;
  /** How many processes there are now. */
  processes(): number;
  /** Cuts its connections; calls under way fail as unavailable. */
  close(): Promise<void>;
}

/** What decides about the attempts of a call. */
interface Call {
  lane: Lane;
  method: DescMethod;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  values: ContextValues | undefined;
  attemptsMax: number;
}

/**
 * A transport to the processes of one part, by Connect over HTTP/2.
 *
 * A process that cannot be reached gets no calls until a connection succeeds;
 * with none left a call fails at once. A call that reached no handler is sent
 * to another process; one that may have reached a handler only if its method
 * says in the proto that it may run twice (`idempotency_level`). All faults of
 * the network are `unavailable`.
 */
export function createNetworkTransport(options: NetworkTransportOptions): NetworkTransport {
  const { urls, metrics } = options;
  const pool = createProcessPool(urls, options);
  const transports = new WeakMap<RemoteProcess, Record<Lane, Transport>>();

  function transportTo(process: RemoteProcess): Record<Lane, Transport> {
    const known = transports.get(process);
    if (known !== undefined) return known;
    const made = { unary: transportOf(process, 'unary'), stream: transportOf(process, 'stream') };
    transports.set(process, made);
    return made;
  }

  /** Sends a call until it is answered, refused, or out of time, attempts or processes. */
  async function send<Answer>(
    call: Call,
    attempt: (transport: Transport, timeoutMs: number) => Promise<Answer>,
  ): Promise<Answer> {
    const deadlineMs = performance.now() + (call.timeoutMs ?? defaultTimeoutMs[call.lane]);
    const tried = new Set<RemoteProcess>();
    let failure: unknown;
    for (let attempts = 1; attempts <= call.attemptsMax; attempts += 1) {
      const process = pool.choose(call.values?.get(affinityKey), tried);
      if (process === undefined) break;
      if (attempts > 1) metrics?.rpcClientEvent({ process: process.host, event: 'retried' });
      tried.add(process);
      try {
        // Whole numbers travel; 0 would mean none.
        const leftMs = Math.max(1, Math.ceil(deadlineMs - performance.now()));
        return await attempt(transportTo(process)[call.lane], leftMs);
      } catch (thrown) {
        failure = thrown;
        if (call.signal?.aborted || performance.now() >= deadlineMs || !mayRepeat(thrown, call)) break;
        if (!isUnreached(thrown)) call.values?.set(repeatedKey, true);
      }
    }
    throw failure ?? noProcess();
  }

  return tracedTransport({
    unary(method, signal, timeoutMs, header, message, values) {
      const call: Call = { lane: 'unary', method, signal, timeoutMs, values, attemptsMax };
      return send(call, (transport, leftMs) =>
        transport.unary(method, signal, leftMs, header, message, values),
      );
    },
    async stream(method, signal, timeoutMs, header, messages, values) {
      const call: Call = { lane: 'stream', method, signal, timeoutMs, values, attemptsMax };
      if (method.methodKind !== 'server_streaming') {
        // What was taken from the caller's messages cannot be had again.
        return send({ ...call, attemptsMax: 1 }, (transport, leftMs) =>
          transport.stream(method, signal, leftMs, header, messages, values),
        );
      }
      const question = await Array.fromAsync(messages);
      return send(call, (transport, leftMs) =>
        transport.stream(method, signal, leftMs, header, createAsyncIterable(question), values),
      );
    },
    ready: pool.ready,
    processes: pool.size,
    async close() {
      pool.close();
    },
  });
}

function transportOf(process: RemoteProcess, lane: Lane): Transport {
  return createTransport({
    baseUrl: process.origin,
    httpClient: createProcessClient(process, lane),
    useBinaryFormat: true,
    interceptors: [],
    // Between our own parts it costs more than it saves.
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 0,
    readMaxBytes: answerMaxBytes,
    writeMaxBytes: answerMaxBytes,
  });
}

function mayRepeat(thrown: unknown, { method }: Call): boolean {
  if (!(thrown instanceof ConnectError && thrown.cause instanceof NetworkFailure)) return false;
  return isUnreached(thrown) || method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
}

function isUnreached(thrown: unknown): boolean {
  return thrown instanceof ConnectError && thrown.cause instanceof NetworkFailure && thrown.cause.isUnreached;
}

function noProcess(): ConnectError {
  return connectErrorOfNetwork(new NetworkFailure('no process can be reached', { isUnreached: true }));
}
