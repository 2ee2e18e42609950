import { productVersion } from '@teammemory/config/product-version.ts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { helpOf, type MetricName, metricsByName } from './monitoring/catalogue.ts';

/** Seconds; from an answer out of memory to a question that waited for a model. */
const durationBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
/** Rows or other things that are counted. */
const countBuckets = [0, 1, 10, 100, 1_000, 10_000, 100_000];

/** Fixed where a value is registered, never taken from a request: so series stay few and hold no client's text. */
export type Labels = Readonly<Record<string, string>>;

/**
 * What every part measures, by Prometheus' naming rules; the catalogue has the names. What is added twice
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
  gauge(name: MetricName, read: () => number, labels?: Labels): void;
  /** Adds a counter and returns the function that raises it. */
  counter(name: MetricName, labels?: Labels): (by?: number) => void;
  /** Adds a histogram and returns the function that observes a value. */
  histogram(name: MetricName, labels?: Labels): (value: number) => void;
}

/** Creates the metrics of one process, Node's own (memory, event loop) included. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const optionsOf = (name: MetricName) => ({
    name,
    help: helpOf(name),
    labelNames: [...metricsByName[name].labels],
    registers,
    ...(metricsByName[name].type === 'histogram' && {
      buckets: name.endsWith('_seconds') ? durationBuckets : countBuckets,
    }),
  });
  new Gauge(optionsOf('teammemory_build_info')).set({ version: productVersion }, 1);
  const http = new Histogram(optionsOf('teammemory_http_request_duration_seconds'));
  const problems = new Counter(optionsOf('teammemory_http_problems_total'));
  const rpc = new Histogram(optionsOf('teammemory_rpc_duration_seconds'));
  const rpcClient = new Counter(optionsOf('teammemory_rpc_client_events_total'));
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
  const zeroed = new Set<string>();
  /** Shows a series as 0 before its first failure: `increase` sees no rise in a series that begins with 1, so no alert came. */
  function showZero(key: string, show: () => void): void {
    if (zeroed.has(key)) return;
    zeroed.add(key);
    show();
  }

  return {
    registry,
    httpRequest({ method, route, status }, seconds) {
      showZero(route, () => problems.inc({ route, code: 'internal' }, 0));
      series(http, method, route, String(status)).observe(seconds);
    },
    httpProblem(labels) {
      problems.inc(labels);
    },
    rpc({ service, method, code }, seconds) {
      showZero(`${service} ${method}`, () => rpc.zero({ service, method, code: 'internal' }));
      series(rpc, service, method, code).observe(seconds);
    },
    rpcClientEvent(labels) {
      rpcClient.inc(labels);
    },
    gauge(name, read, labels = {}) {
      const readers = gauges.get(name) ?? [];
      readers.push({ labels, read });
      if (gauges.has(name)) return;
      gauges.set(name, readers);
      new Gauge({
        ...optionsOf(name),
        collect() {
          this.reset();
          for (const one of readers) this.inc(one.labels, one.read());
        },
      });
    },
    counter(name, labels = {}) {
      const counter = (registry.getSingleMetric(name) ?? new Counter(optionsOf(name))) as Counter;
      counter.inc(labels, 0);
      return (by = 1) => counter.inc(labels, by);
    },
    histogram(name, labels = {}) {
      const histogram = (registry.getSingleMetric(name) ?? new Histogram(optionsOf(name))) as Histogram;
      return (value) => histogram.observe(labels, value);
    },
  };
}
