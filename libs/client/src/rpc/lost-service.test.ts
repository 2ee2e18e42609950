import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { constants, createServer, type Http2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAdminClient } from './admin-client.ts';

/** The last connection that was made; HTTP/2 itself cannot reset it. */
let newest: Socket | undefined;

async function serving(answer: (stream: Http2Stream) => void): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('connection', (socket) => {
    newest = socket;
  });
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    answer(stream);
  });
  server.on('sessionError', () => undefined);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ['cancels its streams', (stream: Http2Stream) => stream.close(constants.NGHTTP2_CANCEL)],
  ['ends the connection', (stream: Http2Stream) => stream.session?.destroy()],
  ['breaks the connection', () => newest?.resetAndDestroy()],
])('a service that dies and %s is unreachable; only the caller cancels a call', async (_, die) => {
  const rpcUrl = await serving(die);
  const client = createAdminClient({ rpcUrl, token: 'admin-token' });
  onTestFinished(client.close);
  await expect(client.createTeam({ slug: 'a', name: 'A' })).rejects.toMatchObject({ code: 'unreachable' });
  const read = client.backup.auth.read(new AbortController().signal);
  await expect(Array.fromAsync(read)).rejects.toMatchObject({ code: 'unreachable' });
});

it('a server that speaks HTTP/1.1, as the public port does, is no RPC port', async () => {
  const server = createHttpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createAdminClient({ rpcUrl, token: 'admin-token' });
  const call = client.createTeam({ slug: 'a', name: 'A' });
  await expect(call).rejects.toMatchObject({ code: 'invalid_answer' });
  client.close();
});

it('a call that its caller cancels is cancelled', async () => {
  const cancel = new AbortController();
  const rpcUrl = await serving(() => cancel.abort());
  const client = createAdminClient({ rpcUrl, token: 'admin-token' });
  onTestFinished(client.close);
  const call = client.backup.auth.begin('r', { signal: cancel.signal });
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
});
