import { createClient, type Interceptor } from '@connectrpc/connect';
import { type Log, silentLog } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requestIdInterceptor } from '@teammemory/rpc/auth/call-origin.ts';
import { principalKey } from '@teammemory/rpc/auth/caller-context.ts';
import { createNetworkTransport } from '@teammemory/rpc/client/network-transport.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import { startRpcServer } from '@teammemory/rpc/server/rpc-server.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { createErrorInterceptor } from '@teammemory/rpc/server/service-interceptors.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { createQueryService } from './service.ts';
import { member } from './test-client.fixture.ts';

/** Serves a service over the network and keeps the request ids of the calls that it logs as failed. */
async function serve(service: RpcService) {
  const logged: unknown[] = [];
  const note = ({ request_id }: { request_id: string }) => logged.push(request_id);
  const log = { error: note, warn: note, isLevelEnabled: () => false } as unknown as Log;
  const asAda: Interceptor = (next) => (request) => {
    request.contextValues.set(principalKey, member('team', 'team'));
    return next(request);
  };
  const failures = createErrorInterceptor({ service, log, metrics: createMetrics() });
  const served = {
    service,
    interceptors: [requestIdInterceptor, failures, asAda],
    requestGate: async () => undefined,
  };
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services: [served] });
  const transport = createNetworkTransport({
    urls: [`http://127.0.0.1:${server.port}`],
    log: silentLog(),
  });
  const close = () => Promise.all([transport.close(), server.close()]);
  return { logged, transport, close };
}

describeEachEngine('a question that fails because of content', (engine) => {
  test('is logged with its request id by query and by content, as is each later one', async () => {
    const broken = () => {
      throw new Error('disk on fire');
    };
    const content = await serve(rpcService(ContentService, { readHeads: broken, readFeed: broken }));
    const service = await createQueryService({
      storage: engine.storage(),
      contentTransport: content.transport,
      serviceToken: async () => 'token',
      indexDiskMb: 64,
      maxOpenAnswers: { maxInAll: 10, maxPerTeam: 10 },
      indexRefreshSeconds: 0,
      clock: Date.now,
      spending: { dailyMemberCapUsd: '5', dailyTeamCapUsd: '50', modelPrices: undefined },
      model: { apiKey: undefined, baseUrl: undefined, model: undefined },
      log: silentLog(),
      metrics: createMetrics(),
    });
    const query = await serve(service.rpc);
    const client = createClient(QueryService, query.transport);
    const idOf = (id: string) => ({ headers: { 'x-request-id': id } });
    const question = 'How long are backups kept?';
    const ended = (call: Promise<unknown>) =>
      call.then(
        () => 'ok',
        (thrown: unknown) => appErrorFromRpc(thrown).code,
      );

    expect(await ended(client.search({ question }, idOf('search-1')))).toBe('internal');
    expect(await ended(Array.fromAsync(client.ask({ question }, idOf('ask-2'))))).toBe('internal');
    expect(await ended(client.search({ question }, idOf('search-3')))).toBe('internal');
    expect(query.logged).toEqual(['search-1', 'ask-2', 'search-3']);
    expect([...new Set(content.logged)]).toEqual(['search-1', 'ask-2', 'search-3']);

    await query.close();
    await service.close();
    await content.close();
  });
});
