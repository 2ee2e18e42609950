import { productVersion } from '@teammemory/config/product-version.ts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from an answer out of memory to a question that waited for a model. */
const durationBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
/** Rows or other things that are counted. */
const countBuckets = [0, 1, 10, 100, 1_000, 10_000, 100_000];

/** Fixed where a value is registered, never taken from a request: so series stay few and hold no client's text. */
export type Labels = Readonly<Record<string, string>>;

/**
 * What every part measures, by Prometheus' naming rules. What is added twice
 * under one name and the same labels is one series: gauges show the sum.
 */
export interface Metrics {
  registry: Registry;
  /** Counts and times one HTTP answer. `route` is the pattern, never the path. */
  httpRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Counts a problem answer; `code` is one of ours. */
  httpProblem(labels: { route: string; code: string }): void;
  /** Counts and times one RPC; `code` is `ok` or an error code. */
  rpc(labels: { service: string; method: string; code: string }, seconds: number): void;
  /** Counts what happens to calls on their way to another process (`host:port`). */
  rpcClientEvent(labels: { process: string; event: 'connection_failed' | 'retried' | 'shed' }): void;
  /** Adds a gauge whose value is read when it is scraped. */
  gauge(name: string, help: string, read: () => number, labels?: Labels): void;
  /** Adds a counter and returns the function that raises it. */
  counter(name: string, help: string, labels?: Labels): (by?: number) => void;
  /** Adds a histogram of seconds or of counts and returns the function that observes a value. */
  histogram(name: string, help: string, unit: 'seconds' | 'count', labels?: Labels): (value: number) => void;
}

/** Creates the metrics of one process, Node's own (memory, event loop) included. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const buildInfo = {
    name: 'teammemory_build_info',
    help: 'Always 1; the label says which version runs.',
  };
  new Gauge({ ...buildInfo, labelNames: ['version'], registers }).set({ version: productVersion }, 1);
  const http = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP answers by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers,
  });
  const problems = new Counter({
    name: 'http_problems_total',
    help: 'Problem answers by route and code.',
    labelNames: ['route', 'code'],
    registers,
  });
  const rpc = new Histogram({
    name: 'rpc_duration_seconds',
    help: 'RPCs answered by service, method and code.',
    labelNames: ['service', 'method', 'code'],
    buckets: durationBuckets,
    registers,
  });
  const rpcClient = new Counter({
    name: 'rpc_client_events_total',
    help: 'Connections to other processes that failed, calls that were sent again, and calls that were shed, by process.',
    labelNames: ['process', 'event'],
    registers,
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
  const gauges = new Map<string, { labels: Labels; read: () => number }[]>();

  return {
    registry,
    httpRequest({ method, route, status }, seconds) {
      series(http, method, route, String(status)).observe(seconds);
    },
    httpProblem(labels) {
      problems.inc(labels);
    },
    rpc({ service, method, code }, seconds) {
      series(rpc, service, method, code).observe(seconds);
    },
    rpcClientEvent(labels) {
      rpcClient.inc(labels);
    },
    gauge(name, help, read, labels = {}) {
      const readers = gauges.get(name) ?? [];
      readers.push({ labels, read });
      if (gauges.has(name)) return;
      gauges.set(name, readers);
      new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        registers,
        collect() {
          this.reset();
          for (const one of readers) this.inc(one.labels, one.read());
        },
      });
    },
    counter(name, help, labels = {}) {
      const labelNames = Object.keys(labels);
      const counter = (registry.getSingleMetric(name) ??
        new Counter({ name, help, labelNames, registers })) as Counter;
      counter.inc(labels, 0);
      return (by = 1) => counter.inc(labels, by);
    },
    histogram(name, help, unit, labels = {}) {
      const buckets = unit === 'seconds' ? durationBuckets : countBuckets;
      const histogram = (registry.getSingleMetric(name) ??
        new Histogram({ name, help, labelNames: Object.keys(labels), buckets, registers })) as Histogram;
      return (value) => histogram.observe(labels, value);
    },
  };
}
