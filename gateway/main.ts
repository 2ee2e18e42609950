import { AppError } from '@teammemory/errors/app-error.ts';
import { connectionBounds } from '@teammemory/process/connection-bounds.ts';
import { addressOf, listening } from '@teammemory/process/listening.ts';
import { type Running, runProcess } from '@teammemory/process/run-process.ts';
import { type PartProcess, startPart } from '@teammemory/process/start-part.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { createServiceToken, createTokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { derivedSecret, signInPurpose } from '@teammemory/rpc/auth/derived-secret.ts';
import { createServiceReadiness } from '@teammemory/rpc/client/service-readiness.ts';
import { startRpcProxy } from '@teammemory/rpc/server/rpc-proxy.ts';
import type { TlsIdentity, TlsSource } from '@teammemory/rpc/tls-identity.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { createGateway } from './app.ts';
import { type GatewaySettings, gatewayOptions, readGatewaySettings } from './config.ts';
import { watchTokenRefusals } from './token-refusals.ts';

/** Runs the gateway in this process; the services run in other processes. */
async function startGateway(): Promise<Running> {
  const settings = readGatewaySettings();
  if (settings.REDIS_URL === undefined && settings.ONLY_GATEWAY === 'no') {
    const sentence =
      'Limits are counted in Redis: set REDIS_URL, or ONLY_GATEWAY=yes if no other gateway runs.';
    throw new AppError('invalid_request', sentence);
  }
  return startPart('gateway', settings, async (resources) => ({
    ...(await openPublicPort(settings, resources)),
    rpc: await openRpcPort(settings, resources),
  }));
}

async function openPublicPort(
  settings: GatewaySettings,
  { clock, log, metrics, transportTo, onStop }: PartProcess,
): Promise<{ gateway: string; metrics: string }> {
  const { HOST: host } = settings;
  const transports = {
    analytics: transportTo(settings.ANALYTICS_URL),
    auth: transportTo(settings.AUTH_URL),
    content: transportTo(settings.CONTENT_URL),
    query: transportTo(settings.QUERY_URL),
  };
  const readiness = (part: keyof typeof transports, { typeName: service }: { typeName: string }) =>
    createServiceReadiness({ transport: transports[part], service });
  const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock });
  const tokenFor = createServiceToken({ signer, clock, name: 'gateway', scopes: [] });
  const tokens = watchTokenRefusals({ transports, tokenFor, log });
  const gateway = createGateway({
    ...gatewayOptions(settings),
    transports: tokens.transports,
    signer,
    signInSecret: derivedSecret(settings.SIGNING_KEY, signInPurpose),
    clock,
    monotonicClock: () => performance.now(),
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1000,
    readiness: {
      analytics: readiness('analytics', AnalyticsService),
      auth: readiness('auth', AuthService),
      content: readiness('content', ContentService),
      query: readiness('query', QueryService),
    },
    ownReadiness: tokens.ready,
    log,
    metrics,
  });
  const metricsPort = { name: 'METRICS_PORT', host, port: settings.METRICS_PORT };
  const metricsServer = await listening(metricsPort, (address) =>
    startMetricsServer({ ...address, metrics }),
  );
  onStop(metricsServer.close);
  onStop(gateway.close);
  const port = await listening({ name: 'PORT', host, port: settings.PORT }, (address) =>
    gateway.listen(address),
  );
  return { gateway: addressOf(host, port), metrics: `${addressOf(host, metricsServer.port)}/metrics` };
}

/** Opens one address for the RPCs of all services, for administrators and platform callers. */
async function openRpcPort(
  settings: GatewaySettings,
  { tls, clock, log, metrics, onStop }: PartProcess,
): Promise<string> {
  const { HOST: host } = settings;
  const signer = createTokenSigner({ privateKey: settings.SIGNING_KEY, clock });
  const proxy = await listening({ name: 'RPC_PORT', host, port: settings.RPC_PORT }, (address) =>
    startRpcProxy({
      ...address,
      tls: tls && withoutAuthority(tls),
      clientTls: tls,
      serviceToken: createServiceToken({ signer, clock, name: 'gateway', scopes: [] }),
      targets: [
        { service: AnalyticsService, urls: settings.ANALYTICS_URL },
        { service: AuthService, urls: settings.AUTH_URL },
        { service: ContentService, urls: settings.CONTENT_URL },
        { service: QueryService, urls: settings.QUERY_URL },
      ],
      bounds: connectionBounds(),
      log,
      metrics,
    }),
  );
  onStop(proxy.close);
  return addressOf(host, proxy.port, tls === undefined ? 'http' : 'https');
}

/** Callers from outside have no certificate of ours; their tokens identify them. */
function withoutAuthority(tls: TlsSource<Required<TlsIdentity>>): TlsSource {
  let from: TlsIdentity | undefined;
  let present: TlsIdentity | undefined;
  return () => {
    const identity = tls();
    if (present === undefined || from !== identity) {
      present = { certificate: identity.certificate, key: identity.key };
      from = identity;
    }
    return present;
  };
}

await runProcess(startGateway);
