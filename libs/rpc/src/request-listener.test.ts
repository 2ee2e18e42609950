import { once } from 'node:events';
import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { silentLog } from '@teammemory/log/log.ts';
import { Health } from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRpcFront } from './rpc-front.ts';
import { type RpcServer, startRpcServer } from './rpc-server.ts';

const address = { host: '127.0.0.1', port: 0 };
const listeners: [string, () => Promise<RpcServer>][] = [
  ['a server', () => startRpcServer({ ...address, services: [] })],
  ['a front', () => startRpcFront({ ...address, targets: {}, descriptors: [], log: silentLog() })],
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
    ['a malformed authority', { ...check, ':authority': '[' }, [400]],
    ['no path', { ':method': 'CONNECT', ':authority': 'a:1' }, [400, 405]],
    ['a path that is no method', { ...check, ':path': '//' }, [501]],
    ['a path that is no URL', { ...check, ':path': '/grpc.health.v1.Health/Check?%%%[' }, [200]],
    ['a deadline that is none', { ...check, 'connect-timeout-ms': '-1' }, [400]],
    ['another method', { ...check, ':method': 'DELETE' }, [405]],
    ['a type that is none', { ...check, 'content-type': 'x' }, [415]],
  ])('a request with %s is refused, and calls go on', async (_, headers, statuses) => {
    expect(statuses).toContain(await statusOf(headers));
    const health = createClient(Health, createConnectTransport({ baseUrl: origin(), httpVersion: '2' }));
    expect(await health.check({})).toMatchObject({ status: 1 });
  });
});
