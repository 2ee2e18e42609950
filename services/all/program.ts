import { createGateway } from '@teammemory/gateway/app.ts';
import { gatewayOptions } from '@teammemory/gateway/config.ts';
import { createLog, type Log } from '@teammemory/log/log.ts';
import { connectionBounds } from '@teammemory/process/connection-bounds.ts';
import { type DataDirectory, openDataDirectory } from '@teammemory/process/data-directory.ts';
import { addressOf, listening } from '@teammemory/process/listening.ts';
import { type Close, openAll } from '@teammemory/process/open-all.ts';
import { newAdministratorToken } from '@teammemory/process/setting-types.ts';
import { startRpcServer } from '@teammemory/rpc/server/rpc-server.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import { startTracing } from '@teammemory/telemetry/start-tracing.ts';
import { watchEventLoop } from '@teammemory/telemetry/watch-event-loop.ts';
import type { Settings } from './config.ts';
import { planDemo } from './planned-demo.ts';
import { createServices } from './services.ts';
import { closeStorage, openStorage } from './storage.ts';

/** The whole service, running. */
export interface Program {
  /** Where it listens, as addresses that can be used from this machine. */
  addresses: { gateway: string; rpc: string; metrics: string };
  engine: 'sqlite' | 'mongodb';
  dataDirectory: DataDirectory;
  /** Undefined: administrators are operators alone. */
  administratorToken: string | undefined;
  /** Begins to tell of turns of the event loop that are too long. To be called after the start, which has some. */
  watch(): void;
  /** Finishes what is under way within a bound and closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts gateway and services in this process. What was opened before a step
 * that fails is closed again.
 * @throws AppError with one sentence for people.
 */
export async function startProgram(settings: Settings): Promise<Program> {
  const log = createLog({ level: settings.LOG_LEVEL, part: 'all' });
  return openAll(log, (onStop) => start(settings, log, onStop));
}

async function start(
  settings: Settings,
  log: Log,
  onStop: (close: Close) => void,
): Promise<Omit<Program, 'stop'>> {
  const { HOST: host } = settings;
  const clock = Date.now;
  const metrics = createMetrics();
  const tracing = await startTracing({ part: 'all', endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT });
  onStop(tracing.close);
  const dataDirectory = openDataDirectory(settings.DATA_DIR);
  onStop(dataDirectory.release);
  for (const notice of dataDirectory.notices) log.warn(notice);
  const isBootstrapOff = settings.BOOTSTRAP_TOKEN === 'off';
  if (settings.MONGODB_URL === undefined) planDemo(dataDirectory, settings.DEMO === 'on' && !isBootstrapOff);
  const storage = await openStorage(settings, dataDirectory.path, { log, metrics });
  onStop(() => closeStorage(storage));
  const administratorToken = isBootstrapOff
    ? undefined
    : (settings.TMS_ADMIN_TOKEN ?? newAdministratorToken());
  const services = await createServices({ settings, storage, administratorToken, clock, log, metrics });
  onStop(services.close);

  const portOf = (name: 'PORT' | 'RPC_PORT' | 'METRICS_PORT') => ({ name, host, port: settings[name] });
  const metricsServer = await listening(portOf('METRICS_PORT'), (address) =>
    startMetricsServer({ ...address, metrics }),
  );
  onStop(metricsServer.close);
  const rpcServer = await listening(portOf('RPC_PORT'), (address) =>
    startRpcServer({ ...address, services: services.served, bounds: connectionBounds(), metrics }),
  );
  onStop(rpcServer.close);
  const gateway = createGateway({
    ...gatewayOptions(settings),
    transports: services.transports,
    signer: services.signer,
    signInSecret: services.signInSecret,
    clock,
    monotonicClock: () => performance.now(),
    shutdownDelayMs: 0,
    readiness: services.ready,
    limitations: () => (storage.engine === 'sqlite' && storage.room?.isFull() ? ['disk full'] : []),
    log,
    metrics,
  });
  onStop(gateway.close);
  const gatewayPort = await listening(portOf('PORT'), (address) => gateway.listen(address));

  const addresses = {
    gateway: addressOf(host, gatewayPort),
    rpc: addressOf(host, rpcServer.port),
    metrics: `${addressOf(host, metricsServer.port)}/metrics`,
  };
  if (administratorToken === undefined) dataDirectory.removeSecret('admin.json');
  else writeAdminFile(dataDirectory, { rpc_url: addresses.rpc, token: administratorToken }, log);
  log.info({ addresses, engine: storage.engine }, 'started');
  const watch = () => onStop(watchEventLoop({ log, metrics }));
  return { addresses, engine: storage.engine, dataDirectory, administratorToken, watch };
}

/** Where the disk is too full even for this file, members can still read, so the start goes on. */
function writeAdminFile(directory: DataDirectory, content: object, log: Log): void {
  try {
    directory.writeSecret('admin.json', content);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    log.error(
      'The disk is full, so admin.json could not be written: make room and start again to administer.',
    );
  }
}
