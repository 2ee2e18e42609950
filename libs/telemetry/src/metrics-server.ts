import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** Slow scrapers are cut off: the port is for machines nearby. */
const requestTimeoutMs = 10_000;

export interface MetricsServer {
  /** The port that was bound. */
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in Prometheus' text format on a port of its own, so
 * that numbers about the service are never reachable through the public one.
 *
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
}): Promise<MetricsServer> {
  const { registry } = options.metrics;
  const server = createServer({ requestTimeout: requestTimeoutMs }, async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end('A value could not be read.');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
