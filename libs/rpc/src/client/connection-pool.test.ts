import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionPool } from './connection-pool.ts';
import { openSession } from './open-session.ts';

test('when the identity changes, older connections get no more calls and close after their last one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const connections: ServerHttp2Session[] = [];
  const held = new Map<string, ServerHttp2Stream>();
  server.on('session', (session) => {
    session.on('error', () => undefined);
    connections.push(session);
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const path = headers[':path'] ?? '';
    stream.on('error', () => undefined);
    if (path.startsWith('/held')) held.set(path, stream);
    else stream.respond({ ':status': 200 }, { endStream: true });
  });
  await once(server, 'listening');
  let identity = {};
  const pool = new ConnectionPool({
    maxConnections: 1,
    open: () => openSession({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    identity: () => identity,
  });
  onTestFinished(() => pool.close());
  const call = async (path: string) => {
    const stream = await pool.request({ ':path': path }, { endStream: true });
    stream.resume();
    return stream;
  };

  const underWay = await call('/held');
  await eventually('the call under way', () => held.has('/held'));
  identity = {};
  await eventually('the second connection', async () => {
    await once(await call('/'), 'close');
    return connections.length === 2;
  });
  await call('/held-by-the-new');
  await eventually('the next call', () => held.get('/held-by-the-new')?.session === connections[1]);
  expect(connections[0]?.destroyed).toBe(false);
  expect(connections[0]?.closed).toBe(false);

  held.get('/held')?.respond({ ':status': 200 }, { endStream: true });
  await once(underWay, 'close');
  await eventually('the end of the first connection', () => connections[0]?.destroyed);
  expect(connections).toHaveLength(2);
  expect(connections[1]?.closed).toBe(false);
});
