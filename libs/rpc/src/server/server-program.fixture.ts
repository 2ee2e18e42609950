// A server in a process of its own, for tests that kill or stop it. Arguments: a name and a port.
// Prints its port, goes away on SIGTERM.
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { partsOnly } from './parts-only.fixture.ts';
import { startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';

const [name = '', port = '0'] = process.argv.slice(2);

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

const query = rpcService(QueryService, {
  search: async ({ question }, { signal }) =>
    question === 'hang' ? untilAborted(signal) : { passages: [{ text: name }] },
  async *ask({ question }, { signal }) {
    yield { part: { case: 'delta', value: { text: name } } };
    if (question === 'hang') await untilAborted(signal);
    yield { part: { case: 'sources', value: { sources: [] } } };
  },
});
const content = rpcService(ContentService, {
  createDecision: async ({ decision }, { signal }) =>
    decision?.title === 'hang' ? untilAborted(signal) : {},
});
const server = await startRpcServer({
  host: '127.0.0.1',
  port: Number(port),
  services: [query, content].map((service) => ({
    service,
    interceptors: [],
    requestGate: partsOnly,
  })),
  peers: 'parts',
});
process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
process.stdout.write(`${server.port}\n`);
