import type { ClientHttp2Stream, ClientSessionRequestOptions, OutgoingHttpHeaders } from 'node:http2';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { openSession } from './open-session.ts';
import { createSessionLane } from './session-lane.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** Connections of each sort; streams have their own, so that a large page does not hold them up. */
const sessionsMax = { unary: 2, stream: 8 };
/** How long to wait before the next attempt to connect: a random part of the first, then of twice as much, and so on. */
const backOff = { firstMs: 50, maxMs: 2_000 };

/** Which connections a call takes. */
export type Lane = keyof typeof sessionsMax;

/** One process of a part, on another machine or this one. */
export interface RemoteProcess {
  /** Its address, without a path. */
  readonly origin: string;
  /** Host and port, as logs and metrics name it. */
  readonly host: string;
  /** Whether it is worth trying; false from a failure to connect until an attempt succeeds. */
  isReachable(): boolean;
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
  /** Cuts its connections and does not connect again. */
  close(): void;
}

export interface RemoteProcessOptions {
  tls?: Partial<TlsIdentity>;
  log: Log;
  metrics?: Metrics;
}

/** Makes the way to the process at `url`; connects with the first call. */
export function createRemoteProcess(url: string, { tls, log, metrics }: RemoteProcessOptions): RemoteProcess {
  const { origin, host } = new URL(url);
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function open() {
    if (isClosed) throw new Error('the transport is closed');
    try {
      const session = await openSession(origin, tls);
      if (isClosed) session.destroy();
      else succeeded();
      return session;
    } catch (error) {
      if (!isClosed) failed(error);
      throw error;
    }
  }

  function succeeded(): void {
    if (failures > 0) log.info({ process: host }, 'a process can be reached again');
    failures = 0;
    clearTimeout(retry);
    retry = undefined;
  }

  function failed(err: unknown): void {
    metrics?.rpcClientEvent({ process: host, event: 'connection_failed' });
    // One connection more was wanted, and those that there are do their work.
    if (lanes.unary.isConnected() || lanes.stream.isConnected()) return;
    if (failures === 0) log.warn({ process: host, err }, 'a process cannot be reached');
    const waitMs = Math.random() * Math.min(backOff.firstMs * 2 ** failures, backOff.maxMs);
    failures += 1;
    clearTimeout(retry);
    // Not `unref`: where this is all that a process waits for, it waits for this.
    retry = setTimeout(() => lanes.unary.connect().then(succeeded, () => undefined), waitMs);
  }

  const lanes = {
    unary: createSessionLane({ sessionsMax: sessionsMax.unary, open }),
    stream: createSessionLane({ sessionsMax: sessionsMax.stream, open }),
  };
  return {
    origin,
    host,
    isReachable: () => failures === 0,
    request: (lane, headers, options = {}) => lanes[lane].request(headers, options),
    connect: lanes.unary.connect,
    close() {
      isClosed = true;
      clearTimeout(retry);
      lanes.unary.close();
      lanes.stream.close();
    },
  };
}
