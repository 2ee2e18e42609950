import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createMethodUrl } from '@connectrpc/connect/protocol';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { ServiceToken } from '../auth/caller-token.ts';
import { createEndpoints, type Endpoints } from '../client/endpoints.ts';
import { isOpenMethod } from '../method-limits.ts';
import type { TlsSource } from '../tls-identity.ts';
import type { Call } from './call.ts';
import type { ConnectionBounds } from './connection.ts';
import { type EndCall, forwardCall } from './forward-call.ts';
import { startHttpListener } from './http-listener.ts';
import { addOpenServices } from './open-services.ts';
import { createRequestListener } from './request-listener.ts';
import { createShutdown, type RpcServer } from './rpc-server.ts';

/** Calls without a token that are under way at once: strangers leave most of the room at each part to callers. */
const maxOpenCalls = 200;

export interface RpcProxyOptions {
  host: string;
  port: number;
  /** Unset: without TLS. */
  tls?: TlsSource | undefined;
  /** The services behind it, and the endpoints of each. */
  targets: readonly { service: DescService; urls: readonly string[] }[];
  /** Its certificate towards the services, and the authority that it trusts there. */
  clientTls?: TlsSource | undefined;
  /**
   * Its own token for a service, by the audience: so that a service knows calls that it passes on from those of
   * strangers. Unset: services take it for a stranger until one of its callers has authenticated.
   */
  serviceToken?: ServiceToken;
  /** How long calls may go on after `close`, 10 seconds unless told. */
  drainTimeoutMs?: number;
  /** What callers may take of its connections; unset: as the README has it. */
  bounds?: Partial<ConnectionBounds>;
  log: Log;
  metrics?: Metrics;
}

/**
 * Starts a reverse proxy: one address for all services. It passes each call unchanged to an endpoint of
 * the service in its path, and answers health checks and reflection itself. It adds no trust: services
 * verify the tokens. A service is healthy if one of its endpoints can be reached.
 *
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startRpcProxy(options: RpcProxyOptions): Promise<RpcServer> {
  const { targets, clientTls: tls, log, metrics } = options;
  const descriptors = targets.map(({ service }) => service);
  const pools = new Map(
    targets.map(({ service, urls }) => [service.typeName, createEndpoints(urls, { tls, log, metrics })]),
  );
  const methods = new Map<string, DescMethod>(
    descriptors.flatMap((service) => service.methods.map((method) => [createMethodUrl('/', method), method])),
  );
  const underWay = new Set<EndCall>();
  const shutdown = createShutdown();
  const here = createRequestListener({
    routes(router) {
      // They answer nothing: what cannot be forwarded is refused in the protocol of its call.
      for (const service of descriptors) router.service(service, {});
      addOpenServices(router, {
        descriptors,
        checks: checksOf(pools),
        closing: shutdown.closing,
      });
    },
    shutdownSignal: shutdown.overdue,
  });

  let openCalls = 0;

  function answer(call: Call): void {
    const method = methods.get(call.path);
    const endpoints = method === undefined ? undefined : pools.get(method.parent.typeName);
    if (method === undefined || endpoints === undefined) {
      here.answer(call);
      return;
    }
    if (isOpenMethod(method)) {
      if (openCalls >= maxOpenCalls) {
        here.refuse(call, new ConnectError('too many calls are under way; try again', Code.Unavailable));
        return;
      }
      openCalls += 1;
      call.response.once('close', () => {
        openCalls -= 1;
      });
    }
    const { serviceToken } = options;
    const end = forwardCall(call, { method, endpoints, serviceToken, refuse: here.refuse });
    underWay.add(end);
    call.response.once('close', () => underWay.delete(end));
  }

  const closePools = () => {
    for (const pool of pools.values()) pool.close();
  };
  const listener = await startHttpListener({
    ...options,
    peers: 'public',
    onCall: answer,
    onClosing: shutdown.onClosing,
    onOverdue() {
      shutdown.onOverdue();
      for (const end of underWay) end(shutdown.overdue.reason);
    },
  }).catch((error: unknown) => {
    closePools();
    throw error;
  });
  return {
    port: listener.port,
    async close() {
      await listener.close();
      closePools();
    },
  };
}

function checksOf(pools: ReadonlyMap<string, Endpoints>) {
  const all = () => Promise.all([...pools.values()].map((pool) => pool.ready()));
  const each = [...pools].map(([service, pool]) => [service, pool.ready] as const);
  return new Map<string, () => Promise<unknown>>([['', all], ...each]);
}
