import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createClient, createContextValues } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { canMakeCertificates, makeCertificates } from './certificates.fixture.ts';
import { appErrorFromRpc } from './error-translation.ts';
import { affinityKey, createNetworkTransport, type NetworkTransportOptions } from './network-transport.ts';
import { startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';
import { type ServerProcess, startServerProcess } from './server-process.fixture.ts';
import type { TlsIdentity } from './tls-identity.ts';

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanUp.reverse()) await one();
  cleanUp = [];
});

/** A server in this process; it answers with its name, or hangs when asked to. */
async function serve(name: string, tls?: TlsIdentity) {
  const underWay = { calls: 0 };
  const hang = async (signal: AbortSignal) => {
    underWay.calls += 1;
    await once(signal, 'abort');
    underWay.calls -= 1;
  };
  const query = rpcService(QueryService, {
    async search({ question }, { signal }) {
      if (question === 'hang') await hang(signal);
      return { passages: [{ text: name }] };
    },
    async *ask({ question }, { signal }) {
      yield { part: { case: 'delta', value: { text: name } } };
      if (question === 'hang') await hang(signal);
    },
  });
  const content = rpcService(ContentService, {
    async createDecision({ decision }, { signal }) {
      if (decision?.title === 'hang') await hang(signal);
      return {};
    },
  });
  const services = [query, content].map((service) => {
    return { service, interceptors: [], requestGate: async () => undefined };
  });
  const options = { host: '127.0.0.1', port: 0, services, drainTimeoutMs: 100 };
  const server = await startRpcServer({ ...options, ...(tls === undefined ? {} : { tls }) });
  cleanUp.push(server.close);
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${server.port}`, underWay };
}

async function serveApart(name: string, port?: number): Promise<ServerProcess> {
  const process = await startServerProcess(name, port);
  cleanUp.push(() => process.end('SIGKILL'));
  return process;
}

/** Something that accepts connections and then does as `onConnection` says, or nothing. */
async function listenOnly(): Promise<{ url: string; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function connect(urls: string[], more: Partial<NetworkTransportOptions> = {}) {
  const transport = createNetworkTransport({ urls, log: silentLog(), ...more });
  cleanUp.push(transport.close);
  return {
    transport,
    query: createClient(QueryService, transport),
    content: createClient(ContentService, transport),
  };
}

type Query = ReturnType<typeof connect>['query'];

const whoAnswers = async (query: Query, options = {}) =>
  (await query.search({}, options)).passages[0]?.text ?? '';

/** The code of ours that a call failed with, `ok` when it did not. */
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error) => appErrorFromRpc(error).code,
  );

async function read(query: Query, question: string, signal?: AbortSignal): Promise<string[]> {
  const texts: string[] = [];
  const stream = query.ask({ question }, signal === undefined ? {} : { signal });
  for await (const { part } of stream) texts.push(part.case === 'delta' ? part.value.text : `${part.case}`);
  return texts;
}

test('processes take calls by turns', async () => {
  const { query } = connect([(await serve('a')).url, (await serve('b')).url]);
  const answers = [];
  for (let call = 0; call < 6; call += 1) answers.push(await whoAnswers(query));
  expect(answers.toSorted().join('')).toBe('aaabbb');
});

test('calls with the same affinity go to one process, and those of a process that is gone to the others', async () => {
  const [a, b] = [await serveApart('a'), await serve('b')];
  const { query } = connect([a.url, b.url]);
  const teams = Array.from({ length: 40 }, (_, team) => `team ${team}`);
  const places = async () => {
    const ask = (team: string) =>
      whoAnswers(query, { contextValues: createContextValues().set(affinityKey, team) });
    return Promise.all(teams.map(ask));
  };
  const before = await places();
  expect(await places()).toEqual(before);
  expect(new Set(before).size).toBe(2);
  await a.end('SIGKILL');
  expect(new Set(await places())).toEqual(new Set(['b']));
});

test('a process that cannot be reached costs no call, and gets calls again when it is back', async () => {
  const [a, b] = [await serveApart('a'), await serve('b')];
  await a.end('SIGKILL');
  const { query, transport } = connect([a.url, b.url]);
  await transport.ready();
  const answers = await Promise.all(Array.from({ length: 50 }, () => whoAnswers(query)));
  expect(new Set(answers)).toEqual(new Set(['b']));
  await serveApart('a again', a.port);
  await eventually('the way back', async () => (await whoAnswers(query)) === 'a again');
});

test('with no process left a call fails at once, as unavailable, and says nothing of the network', async () => {
  const a = await serveApart('a');
  await a.end('SIGKILL');
  const { query, transport } = connect([a.url]);
  await expect(transport.ready()).rejects.toMatchObject({ code: 'unavailable' });
  const startedMs = performance.now();
  const error = await query.search({}).catch(appErrorFromRpc);
  expect(error).toMatchObject({ code: 'unavailable', message: 'A part of the service cannot be reached.' });
  expect(await codeOf(read(query, 'q'))).toBe('unavailable');
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});

test('when a process is killed under load, no call fails that may run twice', async () => {
  const [a, b] = [await serveApart('a'), await serve('b')];
  const metrics = createMetrics();
  const { query } = connect([a.url, b.url], { metrics });
  const codes: string[] = [];
  let isOver = false;
  const caller = async () => {
    while (!isOver) codes.push(await codeOf(query.search({})));
  };
  const callers = Array.from({ length: 20 }, caller);
  await eventually('calls under way', () => codes.length > 200);
  await a.end('SIGKILL');
  const atKill = codes.length;
  await eventually('calls after it', () => codes.length > atKill + 200);
  isOver = true;
  await Promise.all(callers);
  expect(codes.filter((code) => code !== 'ok')).toEqual([]);
  expect(await metrics.registry.metrics()).toContain('event="connection_failed"');
});

test('a call that may have run and may not run twice fails when its process is killed', async () => {
  const [a, b] = [await serveApart('a'), await serve('b')];
  const { content } = connect([a.url, b.url]);
  const cancel = new AbortController();
  const hang = () => codeOf(content.createDecision({ decision: { title: 'hang' } }, cancel));
  const calls = [hang(), hang()];
  await eventually('one of them with b', () => b.underWay.calls === 1);
  expect(await codeOf(content.createDecision({}))).toBe('ok');
  await a.end('SIGKILL');
  expect(await Promise.race(calls)).toBe('unavailable');
  expect(b.underWay.calls).toBe(1);
  cancel.abort();
  expect((await Promise.all(calls)).toSorted()).toEqual(['cancelled', 'unavailable']);
});

test('while processes are restarted in turn under load, no call fails', async () => {
  const processes = [await serveApart('a'), await serveApart('b')];
  const { query, content } = connect(processes.map(({ url }) => url));
  const codes: string[] = [];
  let isOver = false;
  const caller = async () => {
    while (!isOver) {
      codes.push(await codeOf(content.createDecision({ decision: { title: 'q' } })));
      codes.push(await codeOf(read(query, 'q')));
    }
  };
  const callers = Array.from({ length: 10 }, caller);
  for (const process of processes) {
    expect(await process.end('SIGTERM')).toBe(0);
    await serveApart('again', process.port);
    await eventually('the way back', async () => (await whoAnswers(query)) === 'again');
  }
  isOver = true;
  await Promise.all(callers);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => code !== 'ok')).toEqual([]);
});

test('a process that accepts connections and never answers holds a call no longer than connecting may take', async () => {
  const hung = await listenOnly();
  const alone = connect([hung.url]);
  const startedMs = performance.now();
  expect(await codeOf(alone.query.search({}))).toBe('unavailable');
  expect(performance.now() - startedMs).toBeLessThan(5_000);

  const { query } = connect([hung.url, (await serve('b')).url]);
  expect(await Promise.all([1, 2, 3, 4].map(() => whoAnswers(query)))).toEqual(['b', 'b', 'b', 'b']);
});

test('a deadline holds while connecting, and with a process that hangs later', async () => {
  const hung = await listenOnly();
  expect(await codeOf(connect([hung.url]).query.search({}, { timeoutMs: 50 }))).toBe('unavailable');

  const frozen = await serveApart('a');
  const { query, transport } = connect([frozen.url]);
  await transport.ready();
  frozen.freeze();
  const startedMs = performance.now();
  expect(await codeOf(query.search({}, { timeoutMs: 200 }))).toBe('unavailable');
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('a connection that a process hangs on is given up, and calls go to others', {
  timeout: 40_000,
}, async () => {
  const [frozen, b] = [await serveApart('a'), await serve('b')];
  const { query } = connect([frozen.url, b.url]);
  await Promise.all([whoAnswers(query), whoAnswers(query)]);
  frozen.freeze();
  // It may run twice, and is therefore sent to the other process when the connection is cut.
  const calls = [whoAnswers(query), whoAnswers(query)];
  expect(await Promise.all(calls)).toEqual(['b', 'b']);
});

test('calls above what a process may have under way are refused at once', async () => {
  const { url, underWay } = await serve('a');
  const { query } = connect([url]);
  const cancel = new AbortController();
  const held = Array.from({ length: 2_000 }, () => codeOf(query.search({ question: 'hang' }, cancel)));
  await eventually('all under way', () => underWay.calls === 2_000);
  expect(await codeOf(query.search({}))).toBe('unavailable');
  expect(await read(query, 'q')).toEqual(['a']);
  cancel.abort();
  expect(new Set(await Promise.all(held))).toEqual(new Set(['cancelled']));
  await eventually('room again', async () => (await codeOf(query.search({}))) === 'ok');
});

test('4,000 streams that are cancelled at once hurt no other call', async () => {
  const { url, underWay } = await serve('a');
  const { query } = connect([url]);
  const cancel = new AbortController();
  const held = Array.from({ length: 4_000 }, () => codeOf(read(query, 'hang', cancel.signal)));
  await eventually('all under way', () => underWay.calls === 4_000);
  const bystander = new AbortController();
  const patient = codeOf(read(query, 'hang', bystander.signal));
  await eventually('one more', () => underWay.calls === 4_001);
  cancel.abort();
  const innocent = Array.from({ length: 20 }, () => read(query, 'q'));
  expect(await Promise.all(innocent)).toEqual(innocent.map(() => ['a']));
  expect(new Set(await Promise.all(held))).toEqual(new Set(['cancelled']));
  await eventually('the end of their work', () => underWay.calls === 1);
  bystander.abort();
  expect(await patient).toBe('cancelled');
});

test('a page of many megabytes does not keep streams of the same process waiting', async () => {
  const { url } = await serve('é'.repeat(8_000_000));
  const { query } = connect([url]);
  const [page, stream] = await Promise.all([whoAnswers(query), read(query, 'q')]);
  expect([page.length, stream.join('').length]).toEqual([8_000_000, 8_000_000]);
});

test('calls under way when the transport is closed fail as unavailable', async () => {
  const { url, underWay } = await serve('a');
  const { query, content, transport } = connect([url]);
  const calls = [codeOf(query.search({ question: 'hang' })), codeOf(read(query, 'hang'))];
  await eventually('both under way', () => underWay.calls === 2);
  await transport.close();
  expect(await Promise.all(calls)).toEqual(['unavailable', 'unavailable']);
  expect(await codeOf(content.createDecision({}))).toBe('unavailable');
});

test.skipIf(!canMakeCertificates)(
  'with TLS both sides must show a certificate of the authority',
  async () => {
    const [ours, foreign] = [await makeCertificates(), await makeCertificates()];
    const { url } = await serve('a', ours.server);
    const { authority } = ours.client;
    expect(await whoAnswers(connect([url], { tls: ours.client }).query)).toBe('a');
    const wrong = { 'no certificate': { authority }, foreign: { ...foreign.client, authority } };
    for (const tls of [wrong['no certificate'], wrong.foreign, foreign.client, {}]) {
      expect(await codeOf(connect([url], { tls }).query.search({}))).toBe('unavailable');
    }
    expect(await codeOf(connect([url.replace('https:', 'http:')]).query.search({}))).toBe('unavailable');
  },
);
