import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { connectPeer } from '@teammemory/testkit/http2-peer.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { TlsSource } from '../tls-identity.ts';
import type { ConnectionBounds } from './connection.ts';
import { startHttpListener } from './http-listener.ts';

/** A listener that answers nothing; it is closed at the end of the test. */
async function listen(
  bounds: Partial<ConnectionBounds>,
  tls?: TlsSource,
  peers: 'public' | 'parts' = 'parts',
) {
  const calls = { open: 0, begun: 0, areKnown: false };
  const { port, close } = await startHttpListener({
    host: '127.0.0.1',
    port: 0,
    drainTimeoutMs: 0,
    bounds,
    tls,
    peers,
    onCall({ response, connection }) {
      calls.open += 1;
      calls.begun += 1;
      if (calls.areKnown) connection.know();
      response.once('close', () => {
        calls.open -= 1;
      });
    },
    closing: new AbortController(),
    overdue: new AbortController(),
  });
  onTestFinished(close);
  return { port, calls };
}

/** A connection that says nothing of its own accord. */
function silent(port: number): Socket {
  const socket = connectTcp({ host: '127.0.0.1', port });
  socket.on('error', () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

function speak(port: number): ClientHttp2Session {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}
const isOver = (connection: Socket | ClientHttp2Session) => () => connection.destroyed;

test('a peer that says nothing, half a greeting or nothing after it is cut in time, and one with a call stays', async () => {
  const { port, calls } = await listen({ strangerIdleMs: 2_000 });
  const [mute, slow, idle, good] = [silent(port), silent(port), speak(port), speak(port)];
  slow.write('PRI * HTTP/2.0\r\n');
  good.request({ ':method': 'POST' }, { endStream: false }).on('error', () => undefined);
  const pings = setInterval(() => idle.destroyed || idle.ping(() => undefined), 20);
  onTestFinished(() => clearInterval(pings));
  await eventually('the call', () => calls.open === 1);
  await Promise.all([mute, slow, idle].map((peer) => eventually('the cut', isOver(peer))));
  expect(good.destroyed).toBe(false);
  await new Promise((resolve) => good.ping(resolve));
});

test.skipIf(!canMakeCertificates)(
  'with TLS, neither half a handshake nor silence after it holds a connection',
  async () => {
    const { server, client } = await makeCertificates();
    const { port } = await listen({ strangerIdleMs: 2_000 }, () => server);
    const shaken = connectTls({
      host: '127.0.0.1',
      port,
      ALPNProtocols: ['h2'],
      ca: client.authority,
      cert: client.certificate,
      key: client.key,
    });
    shaken.on('error', () => undefined).resume();
    const mute = silent(port);
    await once(shaken, 'secureConnect');
    await Promise.all([mute, shaken].map((socket) => eventually('the cut', isOver(socket))));
  },
);

test('a known caller without a call is asked to leave, and one with a call is not', async () => {
  const { port, calls } = await listen({ idleTimeoutMs: 1_000 });
  calls.areKnown = true;
  const [idle, calling] = [speak(port), speak(port)];
  const call = async (session: ClientHttp2Session) => {
    const before = calls.begun;
    const stream = session.request({ ':method': 'POST' }, { endStream: false });
    stream.on('error', () => undefined);
    await eventually('the call', () => calls.begun > before);
    return stream;
  };
  const begun = await call(calling);
  (await call(idle)).close(constants.NGHTTP2_CANCEL);
  let goodbye: number | undefined;
  idle.on('goaway', (code) => {
    goodbye = code;
  });
  await eventually('the end', isOver(idle));
  expect([goodbye, calling.destroyed, calls.open]).toEqual([0, false, 1]);
  begun.close(constants.NGHTTP2_CANCEL);
  await eventually('the end of the other', isOver(calling));
});

test.each([
  ['of all', { maxConnections: 2 }],
  ['of an address', { maxConnectionsPerAddress: 2 }],
])('at the bound %s the next connection is refused, until one has gone', async (_, bounds) => {
  const { port } = await listen(bounds);
  const [first, second] = [speak(port), speak(port)];
  await Promise.all([first, second].map((session) => once(session, 'remoteSettings')));
  const refused = silent(port);
  await eventually('the refusal', isOver(refused));
  // Not even the settings of HTTP/2 are sent.
  expect([refused.bytesRead, first.destroyed, second.destroyed]).toEqual([0, false, false]);
  first.destroy();
  await eventually('room', async () => {
    const next = speak(port);
    return Promise.race([
      once(next, 'remoteSettings').then(() => true),
      once(next, 'close').then(() => false),
    ]);
  });
});

test('a connection whose streams are reset in large numbers is cut', async () => {
  const { port } = await listen({}, undefined, 'public');
  const peer = await connectPeer(`http://127.0.0.1:${port}`);
  onTestFinished(peer.close);
  peer.openAndReset({ ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'a' }, 500);
  await eventually('the cut', peer.isClosed);
});
