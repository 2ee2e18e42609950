import { silentLog } from '@teammemory/log/log.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { startRpcServer } from '../server/rpc-server.ts';
import { rpcService } from '../server/rpc-service.ts';
import { createNetworkTransport } from './network-transport.ts';
import { createServiceReadiness } from './service-readiness.ts';

let cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of cleanUp.reverse()) await one();
  cleanUp = [];
});

const service = rpcService(QueryService, {});
const gone = 'http://127.0.0.1:9';

async function serve(ready: () => Promise<void>): Promise<string> {
  const services = [{ service, interceptors: [], requestGate: async () => undefined }];
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services, ready });
  cleanUp.push(server.close);
  return `http://127.0.0.1:${server.port}`;
}
const serveWell = () => serve(async () => undefined);
const serveWithoutStore = () => serve(() => Promise.reject(new Error('no store')));

function readiness(...urls: string[]): Promise<void> {
  const transport = createNetworkTransport({ urls, log: silentLog() });
  cleanUp.push(transport.close);
  return createServiceReadiness({ transport, service: QueryService.typeName })();
}

test('a service is ready when one of its processes can work', async () => {
  await readiness(await serveWithoutStore(), await serveWell(), gone);
});

test.each([
  ['cannot be reached', async () => gone],
  ['has lost its store', serveWithoutStore],
])('a service whose only process %s is not ready', async (_, start) => {
  await expect(readiness(await start())).rejects.toMatchObject({ code: 'unavailable' });
});
