import type { ClientHttp2Stream, ClientSessionRequestOptions, OutgoingHttpHeaders } from 'node:http2';
import { backoffMs } from '@teammemory/async/backoff.ts';
import { untilAborted } from '@teammemory/async/bounded-wait.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { TlsIdentity, TlsSource } from '../tls-identity.ts';
import { ConnectionPool } from './connection-pool.ts';
import { NetworkFailure } from './network-failure.ts';
import { openSession } from './open-session.ts';

/** Connections of each kind; streams have their own, so that a large page does not delay them. */
const maxConnections = { unary: 2, stream: 8 };
/** The pauses between attempts to connect. */
const backoff = { firstMs: 50, lastMs: 2_000 };
/** A call that has no other endpoint may try earlier, but not more often than this. */
const hurryAfterMs = 100;
/** Calls to an endpoint that leaves have ended by their deadlines before this. */
const leaveTimeoutMs = 125_000;

/** Which connections a call takes. */
export type CallKind = keyof typeof maxConnections;

/** The address of an endpoint. */
export interface EndpointTarget {
  /** `http://host:port` or `https://host:port`. */
  url: string;
  /** The IP address to connect to. Unset: the system resolves the host. */
  address: string | undefined;
  /** Called when connecting failed and no connection is left. */
  onLost(): void;
}

/** One process of a part of the service, on this machine or another. */
export interface Endpoint {
  /** The origin of its URL. */
  readonly origin: string;
  /** Host and port of its URL, as logs and metrics name it. */
  readonly host: string;
  /** Identifies it, the same for all callers. */
  readonly id: string;
  /** False from a failure to connect until an attempt succeeds. */
  isReachable(): boolean;
  /** Whether a call that has no other endpoint may try this one before the next scheduled attempt. */
  mayBeBack(): boolean;
  /**
   * Opens a stream; connects if needed.
   * @throws NetworkFailure when it cannot be reached, or has too many calls under way.
   */
  request(
    kind: CallKind,
    headers: OutgoingHttpHeaders,
    options?: ClientSessionRequestOptions,
  ): Promise<ClientHttp2Stream>;
  /** Resolves when there is a connection. @throws the error of the connection. */
  connect(): Promise<void>;
  /** Counts calls under way, those waiting for a connection included. */
  underWay(): number;
  /** Accepts no more calls; resolves when those under way have ended and its connections are closed. */
  leave(): Promise<void>;
  /** Destroys its connections and does not connect again. */
  close(): void;
}

export interface EndpointOptions {
  tls?: TlsSource<Partial<TlsIdentity>> | undefined;
  log: Log;
  metrics?: Metrics;
}

/** Makes an endpoint, which connects with its first call, and tries again in the background after a failure. */
export function createEndpoint(
  { url, address, onLost }: EndpointTarget,
  { tls, log, metrics }: EndpointOptions,
): Endpoint {
  const { origin, host } = new URL(url);
  let failures = 0;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;
  let isLeaving = false;
  let isClosed = false;

  async function open() {
    if (isClosed) throw new Error('the transport is closed');
    try {
      const session = await openSession({ url: origin, address, tls: tls?.() });
      if (isClosed) session.destroy();
      else succeeded();
      return session;
    } catch (error) {
      if (!isLeaving) failed(error);
      throw error;
    }
  }

  function succeeded(): void {
    if (failures > 0) log.info({ process: host, address }, 'a process can be reached again');
    failures = 0;
    clearTimeout(retry);
    retry = undefined;
  }

  function failed(err: unknown): void {
    metrics?.rpcClientEvent({ process: host, event: 'connection_failed' });
    // Another connection was wanted, and the existing ones still work.
    if (pools.unary.isConnected() || pools.stream.isConnected()) return;
    if (failures === 0) log.warn({ process: host, address, err }, 'a process cannot be reached');
    const waitMs = backoffMs(backoff, failures);
    failures += 1;
    failedAtMs = performance.now();
    clearTimeout(retry);
    // Not `unref`: a program that waits for nothing else must wait for this.
    retry = setTimeout(() => pools.unary.connect().then(succeeded, () => undefined), waitMs);
    onLost();
  }

  const poolOf = (kind: CallKind) =>
    new ConnectionPool({
      maxConnections: maxConnections[kind],
      open,
      identity: () => tls?.(),
      onRefused: (err) =>
        log.warn(
          { process: host, address, err },
          'a process accepts no connection with the new certificates; the open ones stay in use',
        ),
      onShed: () => metrics?.rpcClientEvent({ process: host, event: 'shed' }),
    });
  const pools = { unary: poolOf('unary'), stream: poolOf('stream') };
  const underWay = () => pools.unary.underWay() + pools.stream.underWay();

  function close(): void {
    isLeaving = true;
    isClosed = true;
    clearTimeout(retry);
    pools.unary.close();
    pools.stream.close();
  }

  return {
    origin,
    host,
    id: `${origin} ${address ?? ''}`,
    isReachable: () => failures === 0,
    mayBeBack: () => performance.now() - failedAtMs >= hurryAfterMs,
    async request(kind, headers, options = {}) {
      if (isLeaving) throw new NetworkFailure('the endpoint is given up', { isUnreached: true });
      return pools[kind].request(headers, options);
    },
    connect: () => pools.unary.connect(),
    underWay,
    async leave() {
      isLeaving = true;
      clearTimeout(retry);
      const idle = Promise.all([pools.unary.idle(), pools.stream.idle()]);
      await untilAborted(idle, AbortSignal.timeout(leaveTimeoutMs)).catch(() => undefined);
      close();
    },
    close,
  };
}
