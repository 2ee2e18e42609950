import { createServer, type RequestListener } from 'node:http';
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
 * With `ready` also `/healthz`, which answers 200 as long as the process does,
 * and `/readyz`, 200 or 503, for orchestrators that probe a part without a public port.
 *
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  /** Throws while the part cannot do its work. Must answer within a bound. */
  ready?: () => Promise<void>;
}): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: requestTimeoutMs }, answer(options));
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

function answer({ metrics, ready }: { metrics: Metrics; ready?: () => Promise<void> }): RequestListener {
  const { registry } = metrics;
  return async (request, response) => {
    const path = request.method === 'GET' ? request.url : undefined;
    try {
      if (path === '/metrics') {
        const text = await registry.metrics();
        response.writeHead(200, { 'content-type': registry.contentType }).end(text);
      } else if (ready !== undefined && (path === '/healthz' || path === '/readyz')) {
        if (path === '/readyz') await ready();
        response.writeHead(200).end('ok\n');
      } else {
        response.writeHead(404).end();
      }
    } catch {
      if (path === '/readyz') response.writeHead(503).end('not ready\n');
      else response.writeHead(500).end('A value could not be read.');
    }
  };
}
