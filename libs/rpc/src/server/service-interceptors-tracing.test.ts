import { createClient } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { silentLog } from '@teammemory/log/log.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { openSpan, within } from '@teammemory/telemetry/span.ts';
import { startTracing } from '@teammemory/telemetry/start-tracing.ts';
import { startTraceCollector, type TraceCollector } from '@teammemory/testkit/trace-collector.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDirectTransport } from '../client/direct-transport.ts';
import { createNetworkTransport } from '../client/network-transport.ts';
import { startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';
import { tracingInterceptor } from './service-interceptors.ts';

const service = rpcService(QueryService, {
  async search({ question }) {
    if (question === 'refuse') throw new AppError('not_found', 'the canary');
    return {};
  },
  async *ask() {
    yield { part: { case: 'delta', value: { text: 'one' } } };
    openSpan('within the answer', 'internal').end();
    yield { part: { case: 'delta', value: { text: 'two' } } };
  },
});
const methodName = (method: string) => `teammemory.query.v1.QueryService/${method}`;

async function overNetwork() {
  const served = { service, interceptors: [tracingInterceptor], requestGate: async () => undefined };
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services: [served] });
  const transport = createNetworkTransport({
    urls: [`http://127.0.0.1:${server.port}`],
    log: silentLog(),
  });
  const close = () => Promise.all([transport.close(), server.close()]);
  return { query: createClient(QueryService, transport), close };
}

async function directly() {
  const transport = createDirectTransport(service, [tracingInterceptor]);
  return { query: createClient(QueryService, transport), close: async () => undefined };
}

describe.each([
  ['over the network', overNetwork],
  ['in one process', directly],
])('%s', (_, open) => {
  let collector: TraceCollector;
  beforeAll(async () => {
    collector = await startTraceCollector();
    const tracing = await startTracing({ part: 'query', endpoint: collector.endpoint });
    const { query, close } = await open();
    const headers = { 'x-request-id': 'request-1' };
    const request = openSpan('request', 'server');
    await within(request, async () => {
      await query.search({}, { headers });
      await query.search({ question: 'refuse' }).catch(() => undefined);
      await Array.fromAsync(query.ask({}));
    });
    request.end();
    await close();
    await tracing.close();
  });
  afterAll(() => collector.stop());

  /** Attributes of the spans with a name, the caller's side first, each below the one before it. */
  function chain(...names: string[]) {
    const first = collector.spans.find(({ name }) => name === 'request');
    let below = [first];
    for (const name of names) {
      const parents = new Set(below.map((span) => span?.spanId));
      below = collector.spans.filter((span) => span.name === name && parents.has(span.parentSpanId));
    }
    return below.map((span) => ({ ...span?.attributes, failed: span?.status?.code === 2 }));
  }

  test('a call is a span at both ends, the called side’s below the caller’s', () => {
    const method = methodName('Search');
    expect(chain(method, method)).toMatchObject([
      { 'rpc.method': 'Search', 'rpc.code': 'ok', 'request.id': 'request-1', failed: false },
      { 'rpc.method': 'Search', 'rpc.code': 'not_found', failed: true },
    ]);
  });

  test('a stream is one span, and what its handler does is below it', () => {
    const method = methodName('Ask');
    expect(chain(method, method)).toMatchObject([{ 'rpc.code': 'ok' }]);
    expect(chain(method, method, 'within the answer')).toHaveLength(1);
  });

  test('no span says what an error says', () => {
    expect(collector.text()).not.toContain('canary');
  });
});
