import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from an answer out of memory to a question that waited for a model. */
const durationBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** What every part measures, by Prometheus' naming rules. */
export interface Metrics {
  registry: Registry;
  /** Counts and times one HTTP answer. `route` is the pattern, never the path. */
  httpRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Counts and times one RPC; `code` is `ok` or an error code. */
  rpc(labels: { service: string; method: string; code: string }, seconds: number): void;
  /** Counts what happens to calls on their way to another process (`host:port`). */
  rpcClientEvent(labels: { process: string; event: 'connection_failed' | 'retried' }): void;
  /** Adds a gauge whose value is read when it is scraped. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds a counter and answers the function that raises it. */
  counter(name: string, help: string): (by?: number) => void;
}

/** Makes the metrics of one process, Node's own (memory, event loop) included. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const http = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP answers by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const rpc = new Histogram({
    name: 'rpc_duration_seconds',
    help: 'RPCs answered by service, method and code.',
    labelNames: ['service', 'method', 'code'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const rpcClient = new Counter({
    name: 'rpc_client_events_total',
    help: 'Connections to other processes that failed, and calls that were sent again, by process.',
    labelNames: ['process', 'event'],
    registers: [registry],
  });
  // One lookup by name instead of hashing labels at every observation; routes, methods and codes are few.
  const known = new Map<string, Histogram.Internal<string>>();
  function series(histogram: Histogram, ...values: string[]): Histogram.Internal<string> {
    const name = values.join(' ');
    let found = known.get(name);
    if (found === undefined) {
      found = histogram.labels(...values);
      known.set(name, found);
    }
    return found;
  }

  return {
    registry,
    httpRequest({ method, route, status }, seconds) {
      series(http, method, route, String(status)).observe(seconds);
    },
    rpc({ service, method, code }, seconds) {
      series(rpc, service, method, code).observe(seconds);
    },
    rpcClientEvent(labels) {
      rpcClient.inc(labels);
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    counter(name, help) {
      const counter = new Counter({ name, help, registers: [registry] });
      return (by = 1) => counter.inc(by);
    },
  };
}
