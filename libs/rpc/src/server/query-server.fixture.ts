import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { onTestFinished } from 'vitest';
import type { TlsSource } from '../tls-identity.ts';
import { partsOnly } from './parts-only.fixture.ts';
import { type RpcServer, startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';

/** A server in this process. It answers with its name; asked to `hang`, it works until the call is cancelled. */
export interface QueryServer extends RpcServer {
  url: string;
  /** What it works on now, and the messages that streams asked to `pour` have been given. */
  count: { hanging: number; poured: number };
}

/** Starts a server with QueryService and ContentService; it is closed at the end of the test. */
export async function serveQueries(
  name: string,
  tls?: TlsSource,
  { host, port } = { host: '127.0.0.1', port: 0 },
): Promise<QueryServer> {
  const count = { hanging: 0, poured: 0 };
  const hang = async (signal: AbortSignal) => {
    count.hanging += 1;
    await once(signal, 'abort');
    count.hanging -= 1;
  };
  const query = rpcService(QueryService, {
    async search({ question }, { signal }) {
      if (question === 'hang') await hang(signal);
      return { passages: [{ text: question === '' ? name : question }] };
    },
    async *ask({ question }, { signal }) {
      yield { part: { case: 'delta', value: { text: name } } };
      if (question === 'hang') await hang(signal);
      for (; question === 'pour' && !signal.aborted; count.poured += 1) {
        yield { part: { case: 'delta', value: { text: '.'.repeat(100_000) } } };
      }
    },
  });
  const content = rpcService(ContentService, {
    async createDecision({ decision }, { signal }) {
      if (decision?.title === 'hang') await hang(signal);
      return {};
    },
    async pushItems({ items }) {
      const written = items.reduce((sum, { content: text }) => sum + text.length, 0);
      return { accepted: items.length, written };
    },
  });
  const services = [query, content].map((service) => {
    return { service, interceptors: [], requestGate: partsOnly };
  });
  const server = await startRpcServer({ host, port, tls, services, peers: 'parts', drainTimeoutMs: 100 });
  onTestFinished(server.close);
  const scheme = tls === undefined ? 'http' : 'https';
  return { ...server, url: `${scheme}://${host}:${server.port}`, count };
}

/** Something that accepts connections and says nothing; it is closed at the end of the test. */
export async function listenOnly(): Promise<{ url: string; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
