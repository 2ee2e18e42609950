import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { silentLog } from '@teammemory/log/log.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codeOf, connectTo, readStream, whoAnswers } from '../client/query-client.fixture.ts';
import { listenOnly, serveQueries } from './query-server.fixture.ts';
import { maxOpenCalls, type RpcProxyOptions, startRpcProxy } from './rpc-proxy.ts';
import { startServerProcess } from './server-process.fixture.ts';

/** Refuses at once: below 1024 no server of another test gets a port that the system chooses. */
const nobody = 'http://127.0.0.1:9';

/** A proxy for QueryService at these addresses, and for ContentService where nobody is. */
async function proxyFor(urls: string[], more: Partial<RpcProxyOptions> = {}) {
  const proxy = await startRpcProxy({
    host: '127.0.0.1',
    port: 0,
    targets: [
      { service: QueryService, urls },
      { service: ContentService, urls: [nobody] },
    ],
    log: silentLog(),
    drainTimeoutMs: 100,
    ...more,
  });
  onTestFinished(proxy.close);
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` };
}

const protocols: [string, (baseUrl: string) => Transport][] = [
  ['Connect', (baseUrl) => createConnectTransport({ baseUrl, httpVersion: '2' })],
  ['gRPC', (baseUrl) => createGrpcTransport({ baseUrl })],
  ['gRPC-Web', (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '2' })],
];

describe.each(protocols)('over %s', (_, open) => {
  test('a service that cannot be reached is unavailable, and others go on', async () => {
    const proxy = await proxyFor([(await serveQueries('a')).url]);
    const transport = open(proxy.url);
    await expect(createClient(ContentService, transport).listItems({})).rejects.toMatchObject({
      code: Code.Unavailable,
    });
    const query = createClient(QueryService, transport);
    expect([await whoAnswers(query), await readStream(query, 'q')]).toEqual(['a', ['a']]);
  });

  test('a stream of a service that cannot be reached ends as unavailable', async () => {
    const query = createClient(QueryService, open((await proxyFor([nobody])).url));
    await expect(readStream(query, 'q')).rejects.toMatchObject({ code: Code.Unavailable });
  });

  test('a service that is not behind it is unimplemented', async () => {
    const proxy = await proxyFor([], { targets: [] });
    const query = createClient(QueryService, open(proxy.url));
    await expect(query.search({})).rejects.toMatchObject({ code: Code.Unimplemented });
    await expect(readStream(query, 'q')).rejects.toMatchObject({ code: Code.Unimplemented });
  });

  test('a process that is killed in the middle of a stream ends it with an error', async () => {
    const process = await startServerProcess('a');
    const query = createClient(QueryService, open((await proxyFor([process.url])).url));
    const stream = query.ask({ question: 'hang' })[Symbol.asyncIterator]();
    await stream.next();
    await process.end('SIGKILL');
    await expect(stream.next()).rejects.toThrow();
  });

  test('a call ends at its deadline when its service hangs', async () => {
    const frozen = await startServerProcess('a');
    const query = createClient(QueryService, open((await proxyFor([frozen.url])).url));
    await whoAnswers(query);
    frozen.freeze();
    const call = query.search({}, { timeoutMs: 300 });
    await expect(call).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  });
});

test('a service that accepts connections and never answers is unavailable in bounded time', async () => {
  const { url } = await proxyFor([(await listenOnly()).url]);
  expect(await codeOf(connectTo([url]).query.search({}))).toBe('unavailable');
});

test('cancelling a call cancels the work of the service', async () => {
  const service = await serveQueries('a');
  const { query } = connectTo([(await proxyFor([service.url])).url]);
  const cancel = new AbortController();
  const calls = [
    codeOf(query.search({ question: 'hang' }, cancel)),
    codeOf(readStream(query, 'hang', cancel)),
  ];
  await eventually('both under way', () => service.count.hanging === 2);
  cancel.abort();
  expect(await Promise.all(calls)).toEqual(['cancelled', 'cancelled']);
  await eventually('the end of the work', () => service.count.hanging === 0);
});

test('a reader that does not read holds up the service instead of filling memory', async () => {
  const service = await serveQueries('a');
  const { query } = connectTo([(await proxyFor([service.url])).url]);
  const cancel = new AbortController();
  const stream = query.ask({ question: 'pour' }, cancel)[Symbol.asyncIterator]();
  await stream.next();
  let before = -1;
  const standsStill = () => {
    const isSame = service.count.poured === before;
    before = service.count.poured;
    return isSame;
  };
  // A window of each connection on the way fills up, and then nothing is asked for any more.
  await eventually('a standstill', standsStill, { everyMs: 500 });
  expect(service.count.poured).toBeLessThan(1_000);
  for (let message = 0; message < 1_500; message += 1) await stream.next();
  expect(service.count.poured).toBeGreaterThan(1_000);
  cancel.abort();
});

test('messages of many megabytes pass in both directions', async () => {
  const { url } = await serveQueries('é'.repeat(10_000_000));
  const targets = [QueryService, ContentService].map((service) => ({ service, urls: [url] }));
  const { query, content } = connectTo([(await proxyFor([], { targets })).url]);
  expect((await whoAnswers(query)).length).toBe(10_000_000);
  const items = Array.from({ length: 60 }, () => ({ content: 'é'.repeat(500_000) }));
  expect(await content.pushItems({ items })).toMatchObject({ accepted: 60, written: 30_000_000 });
});

test('calls without a token leave a part room for others, and are taken again as they end', async () => {
  const services = { arrived: 0 };
  const auth = createServer()
    .on('stream', (stream) => {
      services.arrived += 1;
      stream.on('error', () => undefined);
    })
    .listen(0, '127.0.0.1');
  await once(auth, 'listening');
  onTestFinished(() => void auth.close());
  const urls = [`http://127.0.0.1:${(auth.address() as AddressInfo).port}`];
  const { url: baseUrl } = await proxyFor([], { targets: [{ service: AuthService, urls }] });
  const cancel = new AbortController();
  const codes: (string | undefined)[] = [];
  const calls = Array.from({ length: 8 }, () =>
    createClient(AuthService, createConnectTransport({ baseUrl, httpVersion: '2' })),
  ).flatMap((client) =>
    Array.from({ length: 30 }, async () => {
      codes.push(await codeOf(client.exchangeCredential({}, cancel)));
    }),
  );
  await eventually('all have arrived or are refused', () => services.arrived + codes.length === 240);
  expect([services.arrived, new Set(codes)]).toEqual([maxOpenCalls, new Set(['unavailable'])]);
  cancel.abort();
  await Promise.all(calls);
  const later = new AbortController();
  const client = createClient(AuthService, createConnectTransport({ baseUrl, httpVersion: '2' }));
  const call = codeOf(client.exchangeCredential({}, later));
  await eventually('one more arrives', () => services.arrived === maxOpenCalls + 1);
  later.abort();
  expect(await call).toBe('cancelled');
});

test('its health is that of the services behind it', async () => {
  const { url } = await proxyFor([(await serveQueries('a')).url]);
  const health = createClient(Health, createGrpcTransport({ baseUrl: url }));
  expect(await health.check({ service: QueryService.typeName })).toMatchObject({ status: Status.SERVING });
  expect(await health.check({ service: ContentService.typeName })).toMatchObject({
    status: Status.NOT_SERVING,
  });
  expect(await health.check({})).toMatchObject({ status: Status.NOT_SERVING });
  await expect(health.check({ service: 'other' })).rejects.toMatchObject({ code: Code.NotFound });
});

test('when it goes away, calls that outlive the drain are told so', async () => {
  const service = await serveQueries('a');
  const proxy = await proxyFor([service.url]);
  const { query } = connectTo([proxy.url]);
  const calls = [codeOf(query.search({ question: 'hang' })), codeOf(readStream(query, 'hang'))];
  await eventually('both under way', () => service.count.hanging === 2);
  await proxy.close();
  expect(await Promise.all(calls)).toEqual(['unavailable', 'unavailable']);
  await eventually('the end of the work', () => service.count.hanging === 0);
});

test.skipIf(!canMakeCertificates)('it takes TLS and speaks TLS to the services', async () => {
  const { server, client } = await makeCertificates();
  const service = await serveQueries('a', () => server);
  const { port } = await proxyFor([service.url], { tls: () => server, clientTls: () => client });
  const { query } = connectTo([`https://127.0.0.1:${port}`], { tls: () => client });
  expect([await whoAnswers(query), await readStream(query, 'q')]).toEqual(['a', ['a']]);
});
