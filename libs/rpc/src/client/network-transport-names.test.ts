import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createContextValues } from '@connectrpc/connect';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type QueryServer, serveQueries } from '../server/query-server.fixture.ts';
import { affinityKey } from './network-transport.ts';
import { codeOf, connectTo, type QueryClient, whoAnswers } from './query-client.fixture.ts';

/** Servers `a`, `b` and so on, on one port of different loopback addresses, as the pods of one name are. */
async function servePods(count: number): Promise<{ url: string; pods: QueryServer[]; addresses: string[] }> {
  const first = await serveQueries('a');
  const pods = [first];
  const addresses = ['127.0.0.1'];
  for (let pod = 1; pod < count; pod += 1) {
    const host = `127.0.0.${pod + 1}`;
    pods.push(await serveQueries('abc'[pod] ?? '', undefined, { host, port: first.port }));
    addresses.push(host);
  }
  return { url: `http://parts.test:${first.port}`, pods, addresses };
}

/** The names of those who answer eight calls in a row. */
async function askAll(query: QueryClient): Promise<string> {
  const names = [];
  for (let call = 0; call < 8; call += 1) names.push(await whoAnswers(query));
  return [...new Set(names)].sort().join('');
}

test('a name is a process for each of its addresses, and calls with one affinity go to one of them', async () => {
  const { url, addresses } = await servePods(3);
  const { query, transport } = connectTo([url], { resolve: async () => addresses });
  await eventually('all three', async () => (await askAll(query)) === 'abc');
  expect(transport.endpoints()).toBe(3);
  const places = new Set<string>();
  for (const team of ['red', 'blue', 'green', 'black', 'white', 'brown', 'pink', 'grey']) {
    const contextValues = createContextValues().set(affinityKey, team);
    const answers = [1, 2, 3].map(() => whoAnswers(query, { contextValues }));
    const [place, ...more] = await Promise.all(answers);
    expect(more).toEqual([place, place]);
    places.add(place ?? '');
  }
  expect(places.size).toBeGreaterThan(1);
});

test('an address that joins gets calls, and one that has gone finishes its calls and gets no more', async () => {
  const { url, pods, addresses } = await servePods(3);
  let present = addresses.slice(0, 2);
  const metrics = createMetrics();
  const { query, content } = connectTo([url], { resolve: async () => present, metrics });
  await eventually('the two', async () => (await askAll(query)) === 'ab');
  const cancel = new AbortController();
  const hang = () => codeOf(content.createDecision({ decision: { title: 'hang' } }, cancel));
  const held = [hang(), hang()];
  await eventually('both under way', () => pods[0]?.count.hanging === 1 && pods[1]?.count.hanging === 1);
  present = addresses.slice(1);
  await eventually('the change', async () => (await askAll(query)) === 'bc');
  expect(pods[0]?.count.hanging).toBe(1);
  const shown = `teammemory_rpc_client_calls_in_flight{process="${new URL(url).host}"} 2`;
  await eventually('both still counted', async () => (await metrics.registry.metrics()).includes(shown));
  cancel.abort();
  expect(await Promise.all(held)).toEqual(['cancelled', 'cancelled']);
});

test('connections to an address that has gone are closed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const connections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  let present = ['127.0.0.1'];
  const { port } = server.address() as AddressInfo;
  const { transport } = connectTo([`http://parts.test:${port}`], { resolve: async () => present });
  await eventually('a connection', async () => {
    await transport.ready();
    return (await connections()) === 1;
  });
  present = ['127.0.0.2'];
  await eventually('its end', async () => (await connections()) === 0);
});

test('when a process is lost its name is looked up at once, and its successor gets calls', async () => {
  const { url, pods, addresses } = await servePods(2);
  let present = addresses.slice(0, 1);
  const { query } = connectTo([url], { resolve: async () => present });
  await eventually('the one', async () => (await askAll(query)) === 'a');
  await pods[0]?.close();
  present = addresses.slice(1);
  await eventually('its successor', async () => (await whoAnswers(query)) === 'b', { withinMs: 4_000 });
});

test('addresses that are known stay good while the name cannot be resolved', async () => {
  const { url, pods, addresses } = await servePods(2);
  let looks = 0;
  const resolve = async () => {
    looks += 1;
    if (looks === 1) return addresses;
    throw new Error('SERVFAIL');
  };
  const { query, transport } = connectTo([url], { resolve });
  await eventually('both', async () => (await askAll(query)) === 'ab');
  await pods[1]?.close();
  await eventually('a look that fails', async () => {
    await codeOf(query.search({}));
    return looks > 1;
  });
  expect(await askAll(query)).toBe('a');
  expect(transport.endpoints()).toBe(2);
});

test('a name that nobody can resolve is unavailable', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'));
  const { query, transport } = connectTo(['http://nobody.invalid:1'], { resolve });
  expect(await codeOf(query.search({}))).toBe('unavailable');
  await expect(transport.ready()).rejects.toMatchObject({ code: 'unavailable' });
});

test('IP addresses and localhost are not resolved', async () => {
  const { port } = await serveQueries('a');
  const resolve = () => Promise.reject(new Error('was asked'));
  const urls = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const asked = connectTo([...urls, 'http://[::1]:1'], { resolve });
  expect(asked.transport.endpoints()).toBe(3);
  for (const url of urls) expect(await whoAnswers(connectTo([url], { resolve }).query)).toBe('a');
});

test.skipIf(!canMakeCertificates)(
  'with TLS a process shows a certificate of the name, not of its address',
  async () => {
    const { server, client } = await makeCertificates();
    const { port } = await serveQueries('a', () => server, { host: '127.0.0.2', port: 0 });
    const resolve = async () => ['127.0.0.2'];
    const ask = (host: string, patience: { withinMs?: number } = {}) => {
      const { query } = connectTo([`https://${host}:${port}`], { tls: () => client, resolve });
      return eventually(host, async () => (await codeOf(query.search({}))) === 'ok', patience);
    };
    expect(await ask('parts.test')).toBe(true);
    await expect(ask('other.test', { withinMs: 1_000 })).rejects.toThrow();
  },
);
