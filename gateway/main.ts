import type { DescService } from '@bufbuild/protobuf';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createLog, type Log } from '@teammemory/log/log.ts';
import { addressOf, listening } from '@teammemory/process/listening.ts';
import { type Close, openAll } from '@teammemory/process/open-all.ts';
import { type Running, runProcess } from '@teammemory/process/run-process.ts';
import { mutualTls, requireTls } from '@teammemory/process/tls-settings.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { createTokenSigner } from '@teammemory/rpc/caller-token.ts';
import { createNetworkTransport, type NetworkTransport } from '@teammemory/rpc/network-transport.ts';
import { startRpcFront } from '@teammemory/rpc/rpc-front.ts';
import { createServiceReadiness } from '@teammemory/rpc/service-readiness.ts';
import type { TlsIdentity } from '@teammemory/rpc/tls-identity.ts';
import { createMetrics, type Metrics } from '@teammemory/telemetry/metrics.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { startTracing } from '@teammemory/telemetry/start-tracing.ts';
import { createGateway } from './app.ts';
import { type GatewaySettings, readGatewaySettings } from './config.ts';

/** What all that is opened here has in common. */
interface Base {
  settings: GatewaySettings;
  tls: TlsIdentity | undefined;
  log: Log;
  metrics: Metrics;
  onStop: (close: Close) => void;
}

/** Runs the gateway in this process, in front of services in others. */
async function startGateway(): Promise<Running> {
  const settings = readGatewaySettings();
  if (settings.REDIS_URL === undefined && settings.ONLY_GATEWAY === 'no') {
    const sentence =
      'Limits are counted in Redis: set REDIS_URL, or ONLY_GATEWAY=yes where no other gateway runs.';
    throw new AppError('invalid_request', sentence);
  }
  const tls = mutualTls(settings);
  const log = createLog({ level: settings.LOG_LEVEL, part: 'gateway' });
  return openAll(log, async (onStop) => {
    const tracing = await startTracing({ part: 'gateway', endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT });
    onStop(tracing.close);
    const base: Base = { settings, tls, log, metrics: createMetrics(), onStop };
    const addresses = { ...(await openPublicPort(base)), rpc: await openRpcPort(base) };
    log.info({ addresses }, 'started');
    return {};
  });
}

async function openPublicPort(base: Base): Promise<{ gateway: string; metrics: string }> {
  const { settings, log, metrics, onStop } = base;
  const { HOST: host } = settings;
  const clock = Date.now;
  const transports = {
    analytics: transportTo(settings.ANALYTICS_URL, base),
    auth: transportTo(settings.AUTH_URL, base),
    content: transportTo(settings.CONTENT_URL, base),
    query: transportTo(settings.QUERY_URL, base),
  };
  const readiness = (transport: NetworkTransport, { typeName: service }: DescService) =>
    createServiceReadiness({ transport, service });
  const dependencies = {
    analytics: readiness(transports.analytics, AnalyticsService),
    auth: readiness(transports.auth, AuthService),
    content: readiness(transports.content, ContentService),
    query: readiness(transports.query, QueryService),
  };
  const gateway = createGateway({
    transports,
    signer: createTokenSigner({ privateKey: settings.SIGNING_KEY, clock }),
    clock,
    monotonicClock: () => performance.now(),
    maxBodyBytes: settings.MAX_BODY_BYTES,
    itemWritesPerMinute: settings.ITEM_WRITES_PER_MINUTE,
    scansPerMinute: settings.SCANS_PER_MINUTE,
    snapshotsPerMinute: settings.SNAPSHOTS_PER_MINUTE,
    redisUrl: settings.REDIS_URL,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1000,
    dependencies,
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

function transportTo(urls: readonly string[], { log, metrics, tls, onStop }: Base) {
  requireTls(urls, tls);
  const transport = createNetworkTransport({ urls, log, metrics, ...(tls === undefined ? {} : { tls }) });
  onStop(transport.close);
  return transport;
}

/** One address for the RPCs of all services, for administrators and platform callers. */
async function openRpcPort({ settings, tls, log, metrics, onStop }: Base): Promise<string> {
  const { HOST: host } = settings;
  const target = (urls: readonly string[]) => ({ urls, ...(tls === undefined ? {} : { tls }) });
  const front = await listening({ name: 'RPC_PORT', host, port: settings.RPC_PORT }, (address) =>
    startRpcFront({
      ...address,
      // Callers from outside have no certificate of ours: their tokens say who they are.
      ...(tls === undefined ? {} : { tls: { certificate: tls.certificate, key: tls.key } }),
      targets: {
        [AnalyticsService.typeName]: target(settings.ANALYTICS_URL),
        [AuthService.typeName]: target(settings.AUTH_URL),
        [ContentService.typeName]: target(settings.CONTENT_URL),
        [QueryService.typeName]: target(settings.QUERY_URL),
      },
      descriptors: [AnalyticsService, AuthService, ContentService, QueryService],
      log,
      metrics,
    }),
  );
  onStop(front.close);
  return addressOf(host, front.port, tls === undefined ? 'http' : 'https');
}

await runProcess(startGateway);
