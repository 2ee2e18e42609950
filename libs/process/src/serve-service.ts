import type { MongodbStorage } from '@teammemory/mongo/storage.ts';
import { createTokenVerifier } from '@teammemory/rpc/auth/caller-token.ts';
import { guardService } from '@teammemory/rpc/server/guard-service.ts';
import { startRpcServer } from '@teammemory/rpc/server/rpc-server.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { connectionBounds } from './connection-bounds.ts';
import { addressOf, listening } from './listening.ts';
import { openMongodb } from './open-mongodb.ts';
import type { ServiceSettings } from './part-settings.ts';
import type { Running } from './run-process.ts';
import { type PartProcess, startPart } from './start-part.ts';

/** The dependencies of a service. */
export interface ServiceResources extends Pick<PartProcess, 'clock' | 'log' | 'metrics' | 'transportTo'> {
  storage: MongodbStorage;
}

/**
 * Runs one service in this process, on MongoDB: opens what it needs, serves its
 * RPCs with health and reflection, and its metrics with `/healthz` and `/readyz`
 * on a port of their own.
 *
 * @throws AppError with one sentence for people.
 */
export function serveService(
  part: string,
  settings: ServiceSettings,
  create: (resources: ServiceResources) => Promise<ServiceInstance>,
): Promise<Running> {
  return startPart(part, settings, async (resources) => {
    const { MONGODB_URL: url, MONGODB_DATABASE: database } = settings;
    const { log, metrics } = resources;
    const connection = await openMongodb({ url, database, metrics });
    resources.onStop(connection.close);
    const service = await create({ ...resources, storage: { engine: 'mongodb', connection, log } });
    resources.onStop(service.close);
    return serve(settings, service, resources);
  });
}

async function serve(
  settings: ServiceSettings,
  { rpc, ready }: ServiceInstance,
  { tls, clock, log, metrics, onStop }: PartProcess,
): Promise<{ rpc: string; metrics: string }> {
  const verifier = createTokenVerifier({ publicKeys: settings.VERIFICATION_KEYS, clock });
  const administratorToken = settings.TMS_ADMIN_TOKEN;
  const portOf = (name: 'PORT' | 'METRICS_PORT') => ({ name, host: settings.HOST, port: settings[name] });
  const metricsServer = await listening(portOf('METRICS_PORT'), (address) =>
    startMetricsServer({ ...address, metrics, ready }),
  );
  onStop(metricsServer.close);
  const server = await listening(portOf('PORT'), (address) =>
    startRpcServer({
      ...address,
      tls,
      services: [guardService({ service: rpc, verifier, administratorToken, clock, log, metrics })],
      ready,
      peers: 'parts',
      bounds: connectionBounds(),
      metrics,
    }),
  );
  onStop(server.close);
  return {
    rpc: addressOf(settings.HOST, server.port, tls === undefined ? 'http' : 'https'),
    metrics: `${addressOf(settings.HOST, metricsServer.port)}/metrics`,
  };
}
