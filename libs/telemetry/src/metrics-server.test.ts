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
  metrics.gauge('teammemory_http_bodies_waiting', () => 7);
  const raise = metrics.counter('teammemory_page_cache_hits_total');
  raise();
  raise(2);
  const response = await request('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain');
  const lines = (await response.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'teammemory_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/v1/items",status="200"} 1',
      'teammemory_http_request_duration_seconds_bucket{le="0.01",method="GET",route="/api/v1/items",status="200"} 0',
      'teammemory_rpc_duration_seconds_sum{service="S",method="M",code="ok"} 0.003',
      'teammemory_http_bodies_waiting 7',
      'teammemory_page_cache_hits_total 3',
      `teammemory_build_info{version="${productVersion}"} 1`,
    ]),
  );
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

test('internal errors of what was ever asked for are shown as 0 before the first, and are then counted', async () => {
  const problems = 'teammemory_http_problems_total{route="/api/v1/items",code="internal"}';
  const calls = 'teammemory_rpc_duration_seconds_count{service="S",method="M",code="internal"}';
  const lines = async () => (await (await request('/metrics')).text()).split('\n');
  metrics.httpRequest({ method: 'GET', route: '/api/v1/items', status: 200 }, 0.02);
  metrics.rpc({ service: 'S', method: 'M', code: 'ok' }, 0.003);
  expect(await lines()).toEqual(expect.arrayContaining([`${problems} 0`, `${calls} 0`]));
  metrics.httpProblem({ route: '/api/v1/items', code: 'internal' });
  metrics.rpc({ service: 'S', method: 'M', code: 'internal' }, 0.003);
  metrics.httpRequest({ method: 'GET', route: '/api/v1/items', status: 500 }, 0.02);
  expect(await lines()).toEqual(expect.arrayContaining([`${problems} 1`, `${calls} 1`]));
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
  metrics.gauge('teammemory_page_cache_bytes', () => value);
  value = 2;
  expect(await (await request('/metrics')).text()).toContain('\nteammemory_page_cache_bytes 2\n');
});

test('what is added for several things under one name is one metric, and the same thing twice one series', async () => {
  for (const [file, value] of [
    ['a', 1],
    ['b', 2],
    ['b', 3],
  ] as const) {
    metrics.gauge('teammemory_sqlite_waiting_writes', () => value, { file });
    metrics.counter('teammemory_task_texts_skipped_total', { reason: file })(value);
    metrics.histogram('teammemory_feed_lag_rows', { projection: file })(value);
  }
  const lines = (await (await request('/metrics')).text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'teammemory_sqlite_waiting_writes{file="a"} 1',
      'teammemory_sqlite_waiting_writes{file="b"} 5',
      'teammemory_task_texts_skipped_total{reason="b"} 5',
      'teammemory_feed_lag_rows_count{projection="b"} 2',
      'teammemory_feed_lag_rows_bucket{le="1",projection="a"} 1',
    ]),
  );
});

test('a counter is there before anything happened', async () => {
  metrics.counter('teammemory_task_texts_skipped_total', { reason: 'a' });
  expect(await (await request('/metrics')).text()).toContain(
    '\nteammemory_task_texts_skipped_total{reason="a"} 0\n',
  );
});

test('two processes’ metrics do not mix', async () => {
  const other = createMetrics();
  other.counter('teammemory_page_cache_hits_total')();
  expect(await (await request('/metrics')).text()).not.toContain('teammemory_page_cache_hits_total');
});

test('a port in use is an error of the listener', async () => {
  const second = startMetricsServer({ host: '127.0.0.1', port: server.port, metrics });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
