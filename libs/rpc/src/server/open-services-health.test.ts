import { Code, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { type RpcServer, startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';

let server: RpcServer;
afterEach(() => server.close());

/** A server with QueryService and its health, asked without a token. */
async function serve(ready?: () => Promise<unknown>) {
  const refuse = async () => {
    throw new Error('a health check went through the gate');
  };
  const service = rpcService(QueryService, {});
  const services = [{ service, interceptors: [], requestGate: refuse }];
  server = await startRpcServer({ host: '127.0.0.1', port: 0, services, ready, drainTimeoutMs: 100 });
  return connectHealth();
}

/** A client with a connection of its own. */
function connectHealth() {
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return createClient(Health, createConnectTransport({ baseUrl, httpVersion: '2' }));
}

test('the server and each of its services are asked by name, and others are not found', async () => {
  const health = await serve();
  expect(await health.check({})).toMatchObject({ status: Status.SERVING });
  expect(await health.check({ service: QueryService.typeName })).toMatchObject({ status: Status.SERVING });
  await expect(health.check({ service: 'other' })).rejects.toMatchObject({ code: Code.NotFound });
});

test('what is not ready, or does not say so in time, is not serving', async () => {
  const failing = await serve(() => Promise.reject(new Error('no database')));
  expect(await failing.check({})).toMatchObject({ status: Status.NOT_SERVING });
  await server.close();
  const hanging = await serve(() => new Promise(() => undefined));
  expect(await hanging.check({})).toMatchObject({ status: Status.NOT_SERVING });
});

test('many checks at once ask what they are about once', async () => {
  let asked = 0;
  const health = await serve(async () => {
    asked += 1;
  });
  await Promise.all(Array.from({ length: 30 }, () => health.check({})));
  await health.check({});
  expect(asked).toBe(1);
});

test('a watcher is told of each change, and at the end that the server goes away', async () => {
  let isReady = true;
  const health = await serve(async () => {
    if (!isReady) throw new Error('no database');
  });
  const seen: Status[] = [];
  const watch = async () => {
    for await (const { status } of health.watch({})) seen.push(status);
  };
  const ended = watch().catch((error: unknown) => error);
  await eventually('the first state', () => seen.length === 1);
  isReady = false;
  await eventually('the second', () => seen.length === 2);
  isReady = true;
  await eventually('the third', () => seen.length === 3);
  await server.close();
  expect(await ended).toMatchObject({ code: Code.Unavailable });
  expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING]);
});

test('a service that is not here is watched as unknown', async () => {
  const health = await serve();
  const [first] = [await health.watch({ service: 'other' })[Symbol.asyncIterator]().next()];
  expect(first.value).toMatchObject({ status: Status.SERVICE_UNKNOWN });
});

test('watchers above the limit are refused, and checks go on', async () => {
  const health = await serve();
  // No stranger has so many streams on one connection.
  const connections = Array.from({ length: 5 }, connectHealth);
  const watchers = Array.from({ length: 101 }, (_, k) =>
    connections[k % 5]?.watch({})[Symbol.asyncIterator](),
  );
  const firsts = await Promise.allSettled(watchers.map((watcher) => watcher?.next()));
  const refused = firsts.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: Code.ResourceExhausted } }]);
  expect(await health.check({})).toMatchObject({ status: Status.SERVING });
});
