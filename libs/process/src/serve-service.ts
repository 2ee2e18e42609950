import type { KeyObject } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createLog, type Log, type LogLevel } from '@teammemory/log/log.ts';
import { connectMongo, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { createTokenVerifier } from '@teammemory/rpc/caller-token.ts';
import { createNetworkTransport, type NetworkTransport } from '@teammemory/rpc/network-transport.ts';
import { createRequestGate } from '@teammemory/rpc/request-gate.ts';
import { startRpcServer } from '@teammemory/rpc/rpc-server.ts';
import type { RpcService } from '@teammemory/rpc/rpc-service.ts';
import { serviceInterceptors } from '@teammemory/rpc/service-interceptors.ts';
import type { TlsIdentity } from '@teammemory/rpc/tls-identity.ts';
import { createMetrics, type Metrics } from '@teammemory/telemetry/metrics.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { startTracing } from '@teammemory/telemetry/start-tracing.ts';
import { addressOf, listening } from './listening.ts';
import { type Close, openAll } from './open-all.ts';
import type { Running } from './run-process.ts';
import { mutualTls, requireTls, type TlsSettings } from './tls-settings.ts';

/** The settings that every service has when it runs in a process of its own. */
export interface ServiceSettings extends TlsSettings {
  HOST: string;
  PORT: number;
  METRICS_PORT: number;
  LOG_LEVEL: LogLevel;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  MONGODB_URL: string;
  MONGODB_DATABASE: string;
  VERIFICATION_KEYS: KeyObject[];
  TMS_ADMIN_TOKEN?: string | undefined;
}

/** What a service is made from. */
export interface ServiceResources {
  storage: { engine: 'mongodb'; connection: MongoConnection };
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: Log;
  metrics: Metrics;
  /** A way to another part, closed together with this one. */
  transportTo(addresses: readonly string[]): NetworkTransport;
}

/** A service as its `service.ts` makes it. */
export interface Service {
  rpc: RpcService;
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** What all that is opened here has in common. */
interface Base {
  part: string;
  settings: ServiceSettings;
  tls: TlsIdentity | undefined;
  clock: () => number;
  log: Log;
  metrics: Metrics;
  onStop: (close: Close) => void;
}

/**
 * Runs one service in this process, on MongoDB: opens what it needs, serves its
 * RPCs with health and reflection, and its metrics with `/healthz` and `/readyz`
 * on a port of their own.
 *
 * @throws AppError with one sentence for people.
 */
export async function serveService(
  part: string,
  settings: ServiceSettings,
  create: (resources: ServiceResources) => Promise<Service>,
): Promise<Running> {
  const tls = mutualTls(settings);
  const log = createLog({ level: settings.LOG_LEVEL, part });
  return openAll(log, async (onStop) => {
    const tracing = await startTracing({ part, endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT });
    onStop(tracing.close);
    const base: Base = { part, settings, tls, clock: Date.now, log, metrics: createMetrics(), onStop };
    const storage = await openMongoStorage(base);
    const service = await create({ ...base, storage, transportTo: transports(base) });
    onStop(service.close);
    const addresses = await serve(base, service);
    log.info({ addresses }, 'started');
    return {};
  });
}

async function openMongoStorage({ settings, metrics, onStop }: Base): Promise<ServiceResources['storage']> {
  const { MONGODB_URL: url, MONGODB_DATABASE: database } = settings;
  try {
    const connection = await connectMongo({ url, database, metrics });
    onStop(connection.close);
    return { engine: 'mongodb', connection };
  } catch (cause) {
    throw new AppError('unavailable', 'MongoDB does not answer at the address in MONGODB_URL.', { cause });
  }
}

function transports({ log, metrics, tls, onStop }: Base): ServiceResources['transportTo'] {
  return (urls) => {
    requireTls(urls, tls);
    const transport = createNetworkTransport({ urls, log, metrics, ...(tls === undefined ? {} : { tls }) });
    onStop(transport.close);
    return transport;
  };
}

async function serve(base: Base, { rpc, ready }: Service): Promise<{ rpc: string; metrics: string }> {
  const { settings, tls, clock, log, metrics, onStop } = base;
  const verifier = createTokenVerifier({ publicKeys: settings.VERIFICATION_KEYS, clock });
  const guard = { service: rpc, verifier, administratorToken: settings.TMS_ADMIN_TOKEN, clock, log, metrics };
  const interceptors = serviceInterceptors(guard);
  const requestGate = createRequestGate({ ...guard, audience: rpc.audience });
  const { HOST: host } = settings;
  const metricsServer = await listening(
    { name: 'METRICS_PORT', host, port: settings.METRICS_PORT },
    (address) => startMetricsServer({ ...address, metrics, ready: () => ready() }),
  );
  onStop(metricsServer.close);
  const server = await listening({ name: 'PORT', host, port: settings.PORT }, (address) =>
    startRpcServer({
      ...address,
      services: [{ service: rpc, interceptors, requestGate }],
      ready,
      ...(tls === undefined ? {} : { tls }),
    }),
  );
  onStop(server.close);
  return {
    rpc: addressOf(host, server.port, tls === undefined ? 'http' : 'https'),
    metrics: `${addressOf(host, metricsServer.port)}/metrics`,
  };
}
