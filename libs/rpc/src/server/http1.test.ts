import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { silentLog } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '@teammemory/proto/grpc/reflection/v1/reflection_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionBounds } from './connection.ts';
import { serveQueries } from './query-server.fixture.ts';
import { startRpcProxy } from './rpc-proxy.ts';
import { startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';

const address = { host: '127.0.0.1', port: 0 };
const authorization = 'Bearer part';

/** A server of this process behind a reverse proxy; `url` is that of the proxy. */
async function serveBehindProxy() {
  const server = await serveQueries('one');
  const targets = [QueryService, ContentService].map((service) => ({ service, urls: [server.url] }));
  const proxy = await startRpcProxy({ ...address, targets, log: silentLog() });
  onTestFinished(proxy.close);
  return { ...server, url: `http://127.0.0.1:${proxy.port}` };
}
const servers = [
  ['a server', () => serveQueries('one')],
  ['a reverse proxy', serveBehindProxy],
] as const;
const protocols = [
  ['Connect', createConnectTransport],
  ['gRPC-Web', createGrpcWebTransport],
] as const;

/** Sends a text as it is, and collects what comes back until the other side hangs up. */
async function raw(port: number, ...texts: string[]): Promise<{ socket: Socket; answer: () => string }> {
  const socket = connect({ host: '127.0.0.1', port });
  let received = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  for (const text of texts) socket.write(text);
  return { socket, answer: () => received };
}

function post(path: string, body: string, more: string[] = []): string {
  const head = [`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json'];
  return `${[...head, `content-length: ${body.length}`, ...more].join('\r\n')}\r\n\r\n${body}`;
}
const check = '/grpc.health.v1.Health/Check';
const search = `/${QueryService.typeName}/Search`;

async function openServer(bounds: Partial<ConnectionBounds> = {}): Promise<number> {
  const server = await startRpcServer({ ...address, services: [], bounds });
  onTestFinished(server.close);
  return server.port;
}

for (const [what, serve] of servers) {
  for (const [protocol, createTransport] of protocols) {
    test(`${what} answers ${protocol} over HTTP/1.1: calls, streams, and their cancellation`, async () => {
      const { url, count } = await serve();
      const client = createClient(QueryService, createTransport({ baseUrl: url, httpVersion: '1.1' }));
      const headers = { authorization };
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, index) => client.search({ question: `${index}` }, { headers })),
      );
      expect(many.map(({ passages: [first] }) => first?.text)).toEqual(many.map((_, index) => `${index}`));
      const told: unknown[] = [];
      for await (const { part } of client.ask({ question: 'why' }, { headers })) told.push(part.value);
      expect(told).toMatchObject([{ text: 'one' }]);
      const leaving = new AbortController();
      const left = client.search({ question: 'hang' }, { headers, signal: leaving.signal });
      await eventually('the work', () => count.hanging === 1);
      leaving.abort();
      await expect(left).rejects.toThrow(ConnectError);
      await eventually('the end of the work', () => count.hanging === 0);
    });
  }

  test(`${what} stops working for a reader over HTTP/1.1 that does not read`, async () => {
    const { url, count } = await serve();
    const body = '\0\0\0\0\x13{"question":"pour"}';
    const { socket } = await raw(
      Number(new URL(url).port),
      post(`/${QueryService.typeName}/Ask`, body, [`authorization: ${authorization}`]).replace(
        'application/json',
        'application/connect+json',
      ),
    );
    socket.pause();
    await eventually('the first messages', () => count.poured > 0);
    let before = -1;
    await eventually('the end of pouring', () => {
      const same = before === count.poured;
      before = count.poured;
      return same;
    });
    expect(count.poured).toBeLessThan(1_000);
  });

  test(`${what} lets a known caller over HTTP/1.1 go on who asks for it first`, async () => {
    const { url } = await serve();
    const answered = await new Promise<string>((resolve, reject) => {
      const call = request(`${url}${search}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', expect: '100-continue' },
      });
      call.once('continue', () => call.end('{"question":"tea"}'));
      call.once('response', async (response) => resolve((await response.toArray()).join('')));
      call.once('error', reject).flushHeaders();
    });
    expect(JSON.parse(answered)).toEqual({ passages: [{ text: 'tea' }] });
  });
}

test.each(['a server', 'a reverse proxy'])(
  '%s reads no message over HTTP/1.1 of somebody it does not know, and tells so',
  async (what) => {
    const service = rpcService(QueryService, {});
    const requestGate = async () => {
      throw new ConnectError('no token', Code.Unauthenticated);
    };
    const server = await startRpcServer({
      ...address,
      services: [{ service, interceptors: [], requestGate }],
    });
    onTestFinished(server.close);
    const targets = [{ service: QueryService, urls: [`http://127.0.0.1:${server.port}`] }];
    const proxy = await startRpcProxy({ ...address, targets, log: silentLog() });
    onTestFinished(proxy.close);
    const asking = post(search, '', ['expect: 100-continue']).replace('length: 0', 'length: 60000');
    const { socket, answer } = await raw(what === 'a server' ? server.port : proxy.port, asking);
    await eventually('the refusal', () => answer().includes('unauthenticated'));
    expect(answer()).toMatch(/^HTTP\/1\.1 401 /);
    await eventually('the end', () => socket.destroyed);
  },
);

test('gRPC over HTTP/1.1 is told to come by HTTP/2, and so is a stream in both directions', async () => {
  const port = await openServer();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { answer } = await raw(port, post(check, '', []).replace('application/json', 'application/grpc'));
  await eventually('the refusal', () => answer().includes('HTTP/2'));
  expect(answer()).toMatch(/^HTTP\/1\.1 505 /);
  const reflection = createClient(ServerReflection, createConnectTransport({ baseUrl, httpVersion: '1.1' }));
  const questions = async function* () {
    yield {};
  };
  const answers = reflection.serverReflectionInfo(questions())[Symbol.asyncIterator]();
  await expect(answers.next()).rejects.toThrow(ConnectError);
  // Both protocols at one port.
  const overHttp2 = createClient(Health, createGrpcTransport({ baseUrl }));
  expect(await overHttp2.check({})).toMatchObject({ status: Status.SERVING });
});

test('a connection of HTTP/1.1 is kept for the next call, and one that sends what is no HTTP is cut', async () => {
  const port = await openServer();
  const { socket, answer } = await raw(port, post(check, '{}'));
  await eventually('the first answer', () => answer().includes('SERVING'));
  socket.write(post(check, '{}'));
  await eventually('the second answer', () => answer().split('SERVING').length === 3);
  socket.write('what is this\r\n\r\n');
  await eventually('the cut', () => socket.destroyed);
});

test.each([40_000, 100_000, 1_000_000])(
  'a message over HTTP/1.1 of %i bytes, which is too long, is refused, and its sender hears why',
  async (bytes) => {
    const port = await openServer();
    // The pieces in which a message arrives differ.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { socket, answer } = await raw(port, post(check, `{"service":"${'a'.repeat(bytes)}"}`));
      await eventually('the refusal', () => answer().includes('resource_exhausted'));
      socket.write(post(check, '{}'));
      await eventually('the next answer', () => answer().includes('SERVING'));
    }
  },
);

test('of many calls that are sent at once over HTTP/1.1 none are answered', async () => {
  const port = await openServer();
  const { socket, answer } = await raw(port, post(check, '{}').repeat(50));
  await eventually('the cut', () => socket.destroyed);
  expect(answer().split('SERVING').length).toBeLessThanOrEqual(3);
});

test('slow headers, slow messages and silence over HTTP/1.1 are cut in time, and a call in progress is not', async () => {
  const port = await openServer({ strangerIdleMs: 2_000 });
  const [slow, silent] = await Promise.all([raw(port, 'POST /'), raw(port, post(check, '{}'))]);
  const message = await raw(port, post(check, '{}').replace('content-length: 2', 'content-length: 9'));
  const [first] = await Promise.all([raw(port, 'P')]);
  const drip = setInterval(() => slow.socket.destroyed || slow.socket.write('a'), 50);
  onTestFinished(() => clearInterval(drip));
  const watching = connect({ host: '127.0.0.1', port });
  onTestFinished(() => void watching.destroy());
  watching.on('error', () => undefined).resume();
  const watch = post('/grpc.health.v1.Health/Watch', '\0\0\0\0\x02{}');
  watching.write(watch.replace('application/json', 'application/connect+json'));
  await Promise.all(
    [slow, silent, message, first].map(({ socket }) => eventually('the cut', () => socket.destroyed)),
  );
  expect(watching.destroyed).toBe(false);
});

test('a server that closes lets calls over HTTP/1.1 finish and ends their connections', async () => {
  const server = await startRpcServer({ ...address, services: [] });
  const idle = await raw(server.port, post(check, '{}'));
  await eventually('the answer', () => idle.answer().includes('SERVING'));
  const watching = await raw(
    server.port,
    post('/grpc.health.v1.Health/Watch', '\0\0\0\0\x02{}').replace('json', 'connect+json'),
  );
  await eventually('the first state', () => watching.answer().includes('SERVING'));
  await server.close();
  expect(watching.answer()).toContain('unavailable');
  await eventually('the ends', () => idle.socket.destroyed && watching.socket.destroyed);
});

test.skipIf(!canMakeCertificates)('with TLS the protocol is the one that was agreed on', async () => {
  const { server: tls, client } = await makeCertificates();
  const { url, port } = await serveQueries('one', () => tls);
  const identity = { ca: client.authority, cert: client.certificate, key: client.key };
  for (const httpVersion of ['1.1', '2'] as const) {
    const transport = createConnectTransport({ baseUrl: url, httpVersion, nodeOptions: identity });
    const answer = await createClient(QueryService, transport).search({}, { headers: { authorization } });
    expect(answer.passages).toMatchObject([{ text: 'one' }]);
  }
  const stranger = connectTls({ host: '127.0.0.1', port, ca: client.authority, ALPNProtocols: ['http/1.1'] });
  let received = '';
  stranger
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      received += chunk.toString();
    })
    .write(post(check, '{}'));
  await eventually('the cut', () => stranger.destroyed);
  expect(received).toBe('');
});
