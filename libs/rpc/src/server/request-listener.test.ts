import { once } from 'node:events';
import { connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { silentLog } from '@teammemory/log/log.ts';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startHttpListener } from './http-listener.ts';
import { createRequestListener } from './request-listener.ts';
import { startRpcProxy } from './rpc-proxy.ts';
import { type RpcServer, startRpcServer } from './rpc-server.ts';

const address = { host: '127.0.0.1', port: 0 };
const listeners: [string, () => Promise<RpcServer>][] = [
  ['a server', () => startRpcServer({ ...address, services: [] })],
  ['a reverse proxy', () => startRpcProxy({ ...address, targets: [], log: silentLog() })],
];

describe.each(listeners)('%s', (_, start) => {
  let listener: RpcServer;
  beforeAll(async () => {
    listener = await start();
  });
  afterAll(() => listener.close());

  const origin = () => `http://127.0.0.1:${listener.port}`;

  async function statusOf(headers: OutgoingHttpHeaders): Promise<unknown> {
    const session = connect(origin());
    const request = session.request(headers, { endStream: true });
    const [answer] = await once(request, 'response', { signal: AbortSignal.timeout(10_000) });
    session.destroy();
    return answer[':status'];
  }

  const check = {
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/proto',
  };

  test.each([
    ['a malformed authority', { ...check, ':authority': '[' }, 200],
    ['no path', { ':method': 'CONNECT', ':authority': 'a:1' }, 405],
    ['a path that is no method', { ...check, ':path': '//' }, 404],
    ['a path that is no URL', { ...check, ':path': '/grpc.health.v1.Health/Check?%%%[' }, 200],
    ['a deadline that is none', { ...check, 'connect-timeout-ms': '-1' }, 400],
    ['another method', { ...check, ':method': 'DELETE' }, 405],
    ['a message in its URL', { ...check, ':method': 'GET' }, 405],
    ['a type that is none', { ...check, 'content-type': 'x' }, 415],
  ])('a request with %s has its status, and calls go on', async (_, headers, status) => {
    expect(await statusOf(headers)).toBe(status);
    const health = createClient(Health, createConnectTransport({ baseUrl: origin(), httpVersion: '2' }));
    expect(await health.check({})).toMatchObject({ status: 1 });
  });
});

test('a call whose message does not arrive in time is cut, and one whose handler takes longer is not', async () => {
  const listener = createRequestListener({
    messageTimeoutMs: 1_000,
    routes: (add) =>
      add(Health, {
        async check() {
          await delay(1_500);
          return { status: Status.SERVING };
        },
      }),
  });
  const server = await startHttpListener({
    ...address,
    drainTimeoutMs: 0,
    peers: 'public',
    onCall: listener.answer,
    closing: new AbortController(),
    overdue: new AbortController(),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const session = connect(origin);
  onTestFinished(async () => {
    session.destroy();
    await server.close();
  });
  const slow = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/proto',
    'connect-timeout-ms': '100000',
  });
  slow.on('error', () => undefined).write(Buffer.alloc(1));
  const health = createClient(Health, createConnectTransport({ baseUrl: origin, httpVersion: '2' }));
  const patient = health.check({});
  await once(slow, 'close', { signal: AbortSignal.timeout(10_000) });
  expect(slow.rstCode).toBe(constants.NGHTTP2_CANCEL);
  expect(await patient).toMatchObject({ status: Status.SERVING });
});
