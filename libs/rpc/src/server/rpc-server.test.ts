import { once } from 'node:events';
import { connect } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { principalKey } from '../auth/caller-context.ts';
import { untilClosing } from './closing.ts';
import type { RequestGate } from './guard-service.ts';
import { partsOnly } from './parts-only.fixture.ts';
import { startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';

test('a port in use is an error of the listener', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const starting = startRpcServer({ host: '127.0.0.1', port, services: [] });
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
  taken.close();
});

test('a call that the gate refuses is answered while its message is still on the way', async () => {
  const refuse = () => Promise.reject(new ConnectError('no token', Code.Unauthenticated));
  const services = [{ service: rpcService(QueryService, {}), interceptors: [], requestGate: refuse }];
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services });
  const session = connect(`http://127.0.0.1:${server.port}`);
  const call = session.request({
    ':method': 'POST',
    ':path': '/teammemory.query.v1.QueryService/Search',
    'content-type': 'application/proto',
  });
  call.write(Buffer.alloc(1024));
  const [answer] = await once(call, 'response', { signal: AbortSignal.timeout(10_000) });
  expect(answer[':status']).toBe(401);
  session.destroy();
  await server.close();
});

/** A server for a caller who has authenticated with whatever. */
async function serveCaller() {
  const requestGate: RequestGate = async ({ header, values }) => {
    if (header.get('authorization') === null) throw new ConnectError('no token', Code.Unauthenticated);
    values.set(principalKey, { kind: 'administrator', name: 'bootstrap' });
  };
  const service = rpcService(QueryService, { search: async () => ({ passages: [] }) });
  const services = [{ service, interceptors: [], requestGate }];
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services });
  const session = connect(`http://127.0.0.1:${server.port}`);
  session.on('error', () => undefined);
  onTestFinished(async () => {
    session.destroy();
    await server.close();
  });
  const search = (more: Record<string, string>) =>
    session
      .request({ ':method': 'POST', ':path': '/teammemory.query.v1.QueryService/Search', ...more })
      .on('error', () => undefined);
  return { session, search };
}

test('a connection has the room of 64 KiB until a call on it has authenticated, and more after that', async () => {
  const { session, search } = await serveCaller();
  const room = () => [session.remoteSettings.maxConcurrentStreams, session.remoteSettings.initialWindowSize];
  const [streams = 0, windowBytes = 0] = await once(session, 'remoteSettings').then(room);
  expect(streams * windowBytes).toBeLessThanOrEqual(64 * 1024);
  await once(search({ 'content-type': 'application/proto' }).resume().end(), 'close');
  expect(room()).toEqual([streams, windowBytes]);
  search({ 'content-type': 'application/proto', authorization: 'any' }).resume().end();
  await eventually('more room', () => room()[0] === 100 && room()[1] === 256 * 1024);
});

test('a server that closes finishes the calls under way and takes no more', async () => {
  const started = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const slow = rpcService(QueryService, {
    async search() {
      started.resolve();
      await held.promise;
      return { passages: [{ text: 'finished' }] };
    },
  });
  const closing = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [{ service: slow, interceptors: [], requestGate: async () => undefined }],
  });
  const url = `http://127.0.0.1:${closing.port}`;
  const open = () => createClient(QueryService, createConnectTransport({ baseUrl: url, httpVersion: '2' }));
  const call = open().search({});
  await started.promise;
  let isClosed = false;
  const closed = closing.close().then(() => {
    isClosed = true;
  });
  await expect(open().search({})).rejects.toMatchObject({ code: Code.Unavailable });
  expect(isClosed).toBe(false);
  held.resolve();
  expect((await call).passages[0]?.text).toBe('finished');
  await closed;
});

test('a stream without an end of its own is told that the server begins to close', async () => {
  const endless = rpcService(QueryService, {
    async *ask(_request, context) {
      yield { part: { case: 'delta', value: { text: 'begun' } } };
      await once(untilClosing(context), 'abort');
    },
  });
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    drainTimeoutMs: 600_000,
    services: [{ service: endless, interceptors: [], requestGate: async () => undefined }],
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const client = createClient(QueryService, createConnectTransport({ baseUrl, httpVersion: '2' }));
  let closed: Promise<void> | undefined;
  for await (const _ of client.ask({})) closed = server.close();
  await closed;
});

test('calls and streams that outlive the drain are told so, whether their handlers look at the signal or not', async () => {
  const forever = new Promise<never>(() => undefined);
  let underWay = 0;
  const deaf = rpcService(QueryService, {
    search() {
      underWay += 1;
      return forever;
    },
    async *ask() {
      yield { part: { case: 'delta', value: { text: 'one' } } };
      underWay += 1;
      await forever;
    },
  });
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [{ service: deaf, interceptors: [], requestGate: async () => undefined }],
    drainTimeoutMs: 50,
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const client = createClient(QueryService, createConnectTransport({ baseUrl, httpVersion: '2' }));
  const read = async () => {
    for await (const _ of client.ask({}));
  };
  const ends = [client.search({}), read()].map((call) => call.catch((error: unknown) => error));
  await eventually('both under way', () => underWay === 2);
  await server.close();
  for (const end of await Promise.all(ends)) {
    expect(end).toMatchObject({ code: Code.Unavailable, rawMessage: 'the server is going away' });
  }
});

test('who has a token and asks without reading the answers is cut before the questions fill the memory', async () => {
  const service = rpcService(QueryService, { search: async () => ({ passages: [] }) });
  const services = [{ service, interceptors: [], requestGate: partsOnly }];
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, services });
  onTestFinished(server.close);
  const session = connect(`http://127.0.0.1:${server.port}`, { settings: { initialWindowSize: 0 } });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  const post = { ':method': 'POST', te: 'trailers' };
  const search = '/teammemory.query.v1.QueryService/Search';
  const known = session.request({ ...post, ':path': search, 'content-type': 'application/proto' });
  known.on('error', () => undefined).end();
  await once(known, 'response', { signal: AbortSignal.timeout(10_000) });
  const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const questions = session.request({ ...post, ':path': reflection, 'content-type': 'application/grpc' });
  questions.on('error', () => undefined);
  // Of one field, `host`, with 15,000 bytes.
  const question = Buffer.alloc(5 + 3 + 15_000, 'a');
  question.writeUInt8(0, 0);
  question.writeUInt32BE(question.length - 5, 1);
  question.set([0x0a, (15_000 & 0x7f) | 0x80, 15_000 >> 7], 5);
  const piece = Buffer.concat(Array.from({ length: 16 }, () => question));
  let sent = 0;
  for (; !questions.destroyed && sent < 100 * 2 ** 20; sent += piece.length) {
    if (!questions.write(piece))
      await Promise.race([once(questions, 'drain'), once(questions, 'close')]).catch(() => undefined);
  }
  expect(session.destroyed).toBe(true);
  expect(sent).toBeLessThan(40 * 2 ** 20);
});
