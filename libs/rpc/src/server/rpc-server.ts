import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { endWithSignal } from '../call-end.ts';
import { maxAnswerBytes } from '../connection-limits.ts';
import type { TlsSource } from '../tls-identity.ts';
import { tellClosing } from './closing.ts';
import type { ConnectionBounds } from './connection.ts';
import type { ServedService } from './guard-service.ts';
import { startHttpListener } from './http-listener.ts';
import { addOpenServices } from './open-services.ts';
import { createRequestListener } from './request-listener.ts';

/** The longest deadline of a call; a question with a model takes longest. */
const maxTimeoutMs = 120_000;

export interface RpcServer {
  /** The port that was bound. */
  port: number;
  /**
   * Health checks fail from now on, new calls are refused, those under way may
   * finish within a bound; then they are told to end, and connections are cut.
   */
  close(): Promise<void>;
}

export interface RpcServerOptions {
  host: string;
  port: number;
  services: readonly ServedService[];
  /** Unset: without TLS. */
  tls?: TlsSource | undefined;
  /** Rejects while the services are not ready, which health checks then tell; unset: they always are. */
  ready?: () => Promise<unknown>;
  /** How long calls may go on after `close`, 10 seconds unless told. */
  drainTimeoutMs?: number;
  /** Whether other parts of the installation connect beside others; unset: the public alone. */
  peers?: 'public' | 'parts';
  /** What callers may take of its connections; unset: as the README has it. */
  bounds?: Partial<ConnectionBounds>;
  metrics?: Metrics;
}

/**
 * Serves RPCs to Connect, gRPC and gRPC-Web callers over HTTP/2, and to all but
 * gRPC over HTTP/1.1, with health checks and reflection, which need no token. Compression is off: between our
 * own parts it costs more than it saves.
 *
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { services, peers = 'public', ready = async () => undefined, metrics } = options;
  const [closing, overdue] = [new AbortController(), new AbortController()];
  const descriptors = services.map(({ service }) => service.descriptor);
  const checks = new Map(['', ...descriptors.map(({ typeName }) => typeName)].map((name) => [name, ready]));
  const listener = createRequestListener({
    routes: (add) => {
      for (const { service, interceptors } of services) {
        const { descriptor, implementation } = service;
        add(descriptor, implementation, {
          interceptors: [...interceptors, tellClosing(closing.signal), endWithSignal],
        });
      }
      addOpenServices(add, { descriptors, checks, closing: closing.signal });
    },
    gates: new Map(services.map(({ service, requestGate }) => [service.descriptor.typeName, requestGate])),
    metrics,
    writeMaxBytes: maxAnswerBytes,
    // Kept, a hostile message of them alone takes twenty times its size in memory; no handler looks at them.
    binaryOptions: { readUnknownFields: false },
    maxTimeoutMs,
    shutdownSignal: overdue.signal,
  });
  return startHttpListener({ ...options, closing, overdue, peers, onCall: listener.answer });
}
