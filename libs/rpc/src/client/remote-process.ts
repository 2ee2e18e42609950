import type { ClientHttp2Stream, ClientSessionRequestOptions, OutgoingHttpHeaders } from 'node:http2';
import { untilAborted } from '@teammemory/async/until-aborted.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { TlsIdentity } from '../tls-identity.ts';
import { NetworkFailure } from './network-failure.ts';
import { openSession } from './open-session.ts';
import { createSessionLane } from './session-lane.ts';

/** Connections of each sort; streams have their own, so that a large page does not hold them up. */
const sessionsMax = { unary: 2, stream: 8 };
/** How long to wait before the next attempt to connect: a random part of the first, then of twice as much, and so on. */
const backOff = { firstMs: 50, maxMs: 2_000 };
/** A call that has nobody else may try earlier, but not more often than this. */
const hurryAfterMs = 100;
/** Calls of a process that leaves have ended by their deadlines before this. */
const leaveTimeoutMs = 125_000;

/** Which connections a call takes. */
export type Lane = keyof typeof sessionsMax;

/** Where a process is. */
export interface ProcessPlace {
  /** `http://host:port` or `https://host:port`. */
  url: string;
  /** The IP address to connect to. Unset: what the system finds for the host. */
  address: string | undefined;
  /** Told when a connection was wanted and there is none. */
  onLost(): void;
}

/** One process of a part, on another machine or this one. */
export interface RemoteProcess {
  /** The origin of its URL. */
  readonly origin: string;
  /** Host and port of its URL, as logs and metrics name it. */
  readonly host: string;
  /** What tells it from others, the same for all callers. */
  readonly id: string;
  /** Whether it is worth trying; false from a failure to connect until an attempt succeeds. */
  isReachable(): boolean;
  /** Whether a call that has nobody else may try it: it may be back, and the next attempt still to come. */
  mayBeBack(): boolean;
  /**
   * Opens a stream to it; connects when that is needed.
   * @throws NetworkFailure when it cannot be reached, or has too many calls under way.
   */
  request(
    lane: Lane,
    headers: OutgoingHttpHeaders,
    options?: ClientSessionRequestOptions,
  ): Promise<ClientHttp2Stream>;
  /** Resolves when there is a connection. @throws the error of the connection. */
  connect(): Promise<void>;
  /** Calls that are under way or wait for a connection. */
  underWay(): number;
  /** Takes no more calls; resolves when those under way have ended and its connections are cut. */
  leave(): Promise<void>;
  /** Cuts its connections and does not connect again. */
  close(): void;
}

export interface RemoteProcessOptions {
  tls?: Partial<TlsIdentity> | undefined;
  log: Log;
  metrics?: Metrics;
}

/** Makes the way to the process at this place; connects with the first call. */
export function createRemoteProcess(
  { url, address, onLost }: ProcessPlace,
  { tls, log, metrics }: RemoteProcessOptions,
): RemoteProcess {
  const { origin, host } = new URL(url);
  let failures = 0;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;
  let isLeaving = false;
  let isClosed = false;

  async function open() {
    if (isClosed) throw new Error('the transport is closed');
    try {
      const session = await openSession({ url: origin, address, tls });
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
    // One connection more was wanted, and those that there are do their work.
    if (lanes.unary.isConnected() || lanes.stream.isConnected()) return;
    if (failures === 0) log.warn({ process: host, address, err }, 'a process cannot be reached');
    const waitMs = Math.random() * Math.min(backOff.firstMs * 2 ** failures, backOff.maxMs);
    failures += 1;
    failedAtMs = performance.now();
    clearTimeout(retry);
    // Not `unref`: where this is all that a process waits for, it waits for this.
    retry = setTimeout(() => lanes.unary.connect().then(succeeded, () => undefined), waitMs);
    onLost();
  }

  const onShed = () => metrics?.rpcClientEvent({ process: host, event: 'shed' });
  const lanes = {
    unary: createSessionLane({ sessionsMax: sessionsMax.unary, open, onShed }),
    stream: createSessionLane({ sessionsMax: sessionsMax.stream, open, onShed }),
  };
  const underWay = () => lanes.unary.underWay() + lanes.stream.underWay();

  function close(): void {
    isLeaving = true;
    isClosed = true;
    clearTimeout(retry);
    lanes.unary.close();
    lanes.stream.close();
  }

  return {
    origin,
    host,
    id: `${origin} ${address ?? ''}`,
    isReachable: () => failures === 0,
    mayBeBack: () => performance.now() - failedAtMs >= hurryAfterMs,
    async request(lane, headers, options = {}) {
      if (isLeaving) throw new NetworkFailure('the process is given up', { isUnreached: true });
      return lanes[lane].request(headers, options);
    },
    connect: lanes.unary.connect,
    underWay,
    async leave() {
      isLeaving = true;
      clearTimeout(retry);
      const idle = Promise.all([lanes.unary.idle(), lanes.stream.idle()]);
      await untilAborted(idle, AbortSignal.timeout(leaveTimeoutMs)).catch(() => undefined);
      close();
    },
    close,
  };
}
