import { productVersion } from '@teammemory/config/product-version.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

let metrics: Metrics;
let server: MetricsServer;

beforeEach(async () => {
  metrics = createMetrics();
  server = await startMetricsServer({ host: '127.0.0.1', port: 0, metrics });
});
afterEach(() => server.close());

const request = (path: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers: { connection: 'close' } });

test('what was measured is served in Prometheus’ text format', async () => {
  metrics.httpRequest({ method: 'GET', route: '/api/v1/items', status: 200 }, 0.02);
  metrics.rpc({ service: 'S', method: 'M', code: 'ok' }, 0.003);
  metrics.gauge('waiting', 'Waiting.', () => 7);
  const raise = metrics.counter('seen_total', 'Seen.');
  raise();
  raise(2);
  const response = await request('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain');
  const lines = (await response.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/v1/items",status="200"} 1',
      'http_request_duration_seconds_bucket{le="0.01",method="GET",route="/api/v1/items",status="200"} 0',
      'rpc_duration_seconds_sum{service="S",method="M",code="ok"} 0.003',
      'waiting 7',
      'seen_total 3',
      `teammemory_build_info{version="${productVersion}"} 1`,
    ]),
  );
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

test.each([
  ['/', 'GET'],
  ['/metrics/..', 'GET'],
  ['/metrics', 'POST'],
])('%s by %s is not there', async (path, method) => {
  expect((await request(path, method)).status).toBe(404);
});

test('a gauge is read when it is asked for', async () => {
  let value = 1;
  metrics.gauge('depth', 'Depth.', () => value);
  value = 2;
  expect(await (await request('/metrics')).text()).toContain('\ndepth 2\n');
});

test('what is added for several things under one name is one metric, and the same thing twice one series', async () => {
  for (const [file, value] of [
    ['a', 1],
    ['b', 2],
    ['b', 3],
  ] as const) {
    metrics.gauge('waiting', 'Waiting.', () => value, { file });
    metrics.counter('seen_total', 'Seen.', { file })(value);
    metrics.histogram('lag_rows', 'Lag.', 'count', { file })(value);
  }
  const lines = (await (await request('/metrics')).text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'waiting{file="a"} 1',
      'waiting{file="b"} 5',
      'seen_total{file="b"} 5',
      'lag_rows_count{file="b"} 2',
      'lag_rows_bucket{le="1",file="a"} 1',
    ]),
  );
});

test('a counter is there before anything happened', async () => {
  metrics.counter('seen_total', 'Seen.', { file: 'a' });
  expect(await (await request('/metrics')).text()).toContain('\nseen_total{file="a"} 0\n');
});

test('two processes’ metrics do not mix', async () => {
  const other = createMetrics();
  other.counter('only_here_total', 'Only here.')();
  expect(await (await request('/metrics')).text()).not.toContain('only_here_total');
});

test('a port in use is an error of the listener', async () => {
  const second = startMetricsServer({ host: '127.0.0.1', port: server.port, metrics });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
