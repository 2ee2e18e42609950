import { randomBytes } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createGateway } from '@teammemory/gateway/app.ts';
import { createLog, type Log } from '@teammemory/log/log.ts';
import { startRpcServer } from '@teammemory/rpc/rpc-server.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { startMetricsServer } from '@teammemory/telemetry/metrics-server.ts';
import type { Settings } from './config.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { createServices } from './services.ts';
import { closeStorage, openStorage } from './storage.ts';

/** The whole service, running. */
export interface Program {
  /** Where it listens, as addresses that can be used from this machine. */
  addresses: { gateway: string; rpc: string; metrics: string };
  engine: 'sqlite' | 'mongodb';
  dataDirectory: DataDirectory;
  administratorToken: string;
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
  const opened: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        // What cannot be closed must not keep the rest open.
        log.error({ err: error }, 'a part could not be closed');
      }
    }
  };
  try {
    return await start(settings, { log, opened, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  settings: Settings,
  { log, opened, stop }: { log: Log; opened: (() => unknown)[]; stop: () => Promise<void> },
): Promise<Program> {
  const { HOST: host } = settings;
  const clock = Date.now;
  const metrics = createMetrics();
  const dataDirectory = openDataDirectory(settings.DATA_DIR);
  opened.push(dataDirectory.release);
  const storage = await openStorage(settings, dataDirectory.path);
  opened.push(() => closeStorage(storage));
  const administratorToken = settings.TMS_ADMIN_TOKEN ?? `tms_admin_${randomBytes(32).toString('base64url')}`;
  const services = await createServices({ settings, storage, administratorToken, clock, log, metrics });
  opened.push(services.close);

  const metricsServer = await listening('METRICS_PORT', settings, (port) =>
    startMetricsServer({ host, port, metrics }),
  );
  opened.push(metricsServer.close);
  const rpcServer = await listening('RPC_PORT', settings, (port) =>
    startRpcServer({ host, port, services: services.served }),
  );
  opened.push(rpcServer.close);
  const gateway = createGateway({
    transports: services.transports,
    signer: services.signer,
    clock,
    monotonicClock: () => performance.now(),
    maxBodyBytes: settings.MAX_BODY_BYTES,
    itemWritesPerMinute: settings.ITEM_WRITES_PER_MINUTE,
    scansPerMinute: settings.SCANS_PER_MINUTE,
    snapshotsPerMinute: settings.SNAPSHOTS_PER_MINUTE,
    dependencies: services.ready,
    log,
    metrics,
  });
  opened.push(gateway.close);
  const gatewayPort = await listening('PORT', settings, (port) => gateway.listen({ host, port }));

  const addresses = {
    gateway: addressOf(host, gatewayPort),
    rpc: addressOf(host, rpcServer.port),
    metrics: `${addressOf(host, metricsServer.port)}/metrics`,
  };
  dataDirectory.writeSecret('admin.json', { rpc_url: addresses.rpc, token: administratorToken });
  log.info({ addresses, engine: storage.engine }, 'started');
  return { addresses, engine: storage.engine, dataDirectory, administratorToken, stop };
}

type PortSetting = 'PORT' | 'RPC_PORT' | 'METRICS_PORT';

/** Binds a port and says in one sentence why it cannot. */
async function listening<Result>(
  name: PortSetting,
  settings: Settings,
  bind: (port: number) => Promise<Result>,
): Promise<Result> {
  const port = settings[name];
  try {
    return await bind(port);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const sentence =
      code === 'EADDRINUSE'
        ? `Port ${port} is in use; set ${name} to another one, or to 0 for any that is free.`
        : `Nothing can listen on ${settings.HOST} port ${port} (${code ?? 'unknown error'}); see HOST and ${name}.`;
    throw new AppError('unavailable', sentence, { cause });
  }
}

/** An address to connect to: a listener on every interface is reached over the loopback one. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
