import { createLog, type Log } from '@teammemory/log/log.ts';
import { createNetworkTransport, type NetworkTransport } from '@teammemory/rpc/client/network-transport.ts';
import type { TlsIdentity, TlsSource } from '@teammemory/rpc/tls-identity.ts';
import { createMetrics, type Metrics } from '@teammemory/telemetry/metrics.ts';
import { startTracing } from '@teammemory/telemetry/start-tracing.ts';
import { watchEventLoop } from '@teammemory/telemetry/watch-event-loop.ts';
import { type Close, openAll } from './open-all.ts';
import type { PartSettings } from './part-settings.ts';
import type { Running } from './run-process.ts';
import { mutualTls, requireTls } from './tls-settings.ts';
import { watchCertificates } from './watch-certificates.ts';

/** The resources of every part in a process of its own. */
export interface PartProcess {
  /** Undefined if TLS is not set up. */
  tls: TlsSource<Required<TlsIdentity>> | undefined;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: Log;
  metrics: Metrics;
  /** Connects to another part; the connection is closed together with this part. */
  transportTo(addresses: readonly string[]): NetworkTransport;
  /** Registers how to close something that was opened; the last is closed first. */
  onStop(close: Close): void;
}

/**
 * Starts a part in this process. `open` opens what it consists of, and returns
 * its addresses, by what they are for.
 * @throws AppError `invalid_request` for settings of TLS that do not fit, and what `open` throws.
 */
export async function startPart(
  part: string,
  settings: PartSettings,
  open: (resources: PartProcess) => Promise<Record<string, string>>,
): Promise<Running> {
  const identity = mutualTls(settings);
  const log = createLog({ level: settings.LOG_LEVEL, part });
  return openAll(log, async (onStop) => {
    const tracing = await startTracing({ part, endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT });
    onStop(tracing.close);
    const metrics = createMetrics();
    const certificates =
      identity && watchCertificates({ identity, files: settings.tlsFiles, clock: Date.now, log, metrics });
    onStop(() => certificates?.close());
    const tls = certificates?.present;
    const transportTo = (urls: readonly string[]) => {
      requireTls(urls, tls);
      const transport = createNetworkTransport({ urls, tls, log, metrics });
      onStop(transport.close);
      return transport;
    };
    const addresses = await open({ tls, clock: Date.now, log, metrics, transportTo, onStop });
    log.info({ addresses }, 'started');
    onStop(watchEventLoop({ log, metrics }));
    return {};
  });
}
