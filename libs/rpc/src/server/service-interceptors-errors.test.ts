import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { createDirectTransport } from '../client/direct-transport.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { rpcService } from './rpc-service.ts';
import { createErrorInterceptor } from './service-interceptors.ts';

/** Runs one call that throws `thrown`, or succeeds, and answers what was logged and counted, and what the caller got. */
async function callThatThrows(
  thrown?: unknown,
  headers: Record<string, string> = { 'x-request-id': 'request-1' },
) {
  const logged: Record<string, unknown>[] = [];
  const warned: Record<string, unknown>[] = [];
  const log = {
    error: (fields: Record<string, unknown>) => logged.push(fields),
    warn: (fields: Record<string, unknown>) => warned.push(fields),
    isLevelEnabled: () => false,
  } as unknown as Log;
  const metrics = createMetrics();
  const service = rpcService(QueryService, {
    search() {
      if (thrown !== undefined) throw thrown;
      return {};
    },
  });
  const transport = createDirectTransport(service, [createErrorInterceptor({ service, log, metrics })]);
  const answer: unknown = await createClient(QueryService, transport)
    .search({}, { headers })
    .catch((error) => error);
  return { logged, warned, counted: await metrics.registry.metrics(), answer };
}

const countOf = (code: string) =>
  `teammemory_rpc_duration_seconds_count{service="teammemory.query.v1.QueryService",method="Search",code="${code}"} 1`;

test('a fault of ours is logged with its cause and the request it came from', async () => {
  const cause = new Error('disk on fire');
  const { logged, counted } = await callThatThrows(cause);
  expect(logged).toMatchObject([{ request_id: 'request-1', method: 'Search', err: cause }]);
  expect(counted).toContain(countOf('internal'));
});

test('a fault of a call without a request id gets one, which its caller is told', async () => {
  const { logged, answer } = await callThatThrows(new Error('disk on fire'), {});
  const [{ request_id } = {}] = logged;
  expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect((answer as ConnectError).metadata.get('x-request-id')).toBe(request_id);
});

test('an error that is the caller’s own is counted and not logged', async () => {
  const { logged, counted } = await callThatThrows(new AppError('not_found', 'Nothing here.'));
  expect(logged).toEqual([]);
  expect(counted).toContain(countOf('not_found'));
});

test('a call that RPC itself ended is an outage, not a fault of ours, and a warning names its request', async () => {
  const { logged, warned, counted } = await callThatThrows(
    new ConnectError('too late', Code.DeadlineExceeded),
  );
  expect(logged).toEqual([]);
  expect(warned).toMatchObject([{ request_id: 'request-1', code: 'unavailable' }]);
  expect(counted).toContain(countOf('unavailable'));
});

test('whatever a handler throws once its deadline has passed, the call was too late', async () => {
  const log = {
    error: () => undefined,
    warn: () => undefined,
    isLevelEnabled: () => false,
  } as unknown as Log;
  const service = rpcService(QueryService, {
    search: (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the driver was interrupted')));
      }),
  });
  const interceptors = [createErrorInterceptor({ service, log, metrics: createMetrics() })];
  const client = createClient(QueryService, createDirectTransport(service, interceptors));
  const thrown: unknown = await client.search({}, { timeoutMs: 20 }).catch((error: unknown) => error);
  expect(appErrorFromRpc(thrown).code).toBe('unavailable');
});

test('a call that succeeds is counted', async () => {
  const { logged, counted } = await callThatThrows();
  expect(logged).toEqual([]);
  expect(counted).toContain(countOf('ok'));
});
