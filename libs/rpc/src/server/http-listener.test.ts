import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { connectPeer } from '@teammemory/testkit/http2-peer.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { TlsSource } from '../tls-identity.ts';
import type { CallStream } from './call-stream.ts';
import { type ConnectionBounds, resetStream } from './guard-connection.ts';
import { startHttpListener } from './http-listener.ts';

/** A listener that answers nothing; it is closed at the end of the test. */
async function listen(
  bounds: Partial<ConnectionBounds>,
  tls?: TlsSource,
  answer: (stream: CallStream) => void = () => undefined,
) {
  const calls = { open: 0 };
  const { port, close } = await startHttpListener({
    host: '127.0.0.1',
    port: 0,
    drainTimeoutMs: 0,
    bounds,
    tls,
    peers: 'parts',
    onStream(stream) {
      calls.open += 1;
      answer(stream);
      stream.once('close', () => {
        calls.open -= 1;
      });
    },
    onClosing: () => undefined,
    onOverdue: () => undefined,
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

test('an idle connection is closed, and one that pings or has a call under way is not', async () => {
  const { port, calls } = await listen({ idleTimeoutMs: 2_000, farewellMs: 5_000 });
  const [idle, pinging, calling] = [speak(port), speak(port), speak(port)];
  const pings = setInterval(() => pinging.ping(() => undefined), 20);
  onTestFinished(() => clearInterval(pings));
  const call = calling.request({ ':method': 'POST' }, { endStream: false });
  await eventually('the call', () => calls.open === 1);
  let goodbye: number | undefined;
  idle.on('goaway', (code) => {
    goodbye = code;
  });
  await eventually('the end', isOver(idle));
  expect([goodbye, pinging.destroyed, calling.destroyed, calls.open]).toEqual([0, false, false, 1]);
  call.close(constants.NGHTTP2_CANCEL);
  await eventually('the end of the other', isOver(calling));
});

test('an idle peer that does not hang up when asked is cut', async () => {
  const { port } = await listen({ idleTimeoutMs: 100, farewellMs: 100 });
  const peer = silent(port);
  // The preface and empty settings; it acknowledges nothing and ignores what it reads.
  peer.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  peer.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
  await eventually('the cut', isOver(peer));
});

test.each([
  ['of all', { maxConnections: 2 }],
  ['of an address', { maxConnectionsPerAddress: 2 }],
  ['of strangers', { maxStrangers: 2 }],
])(
  'at the bound %s, the stranger that has been idle longest makes way for the next one',
  async (_, bounds) => {
    const { port, calls } = await listen(bounds);
    const busy = speak(port);
    await once(busy, 'remoteSettings');
    const idle = speak(port);
    await once(idle, 'remoteSettings');
    busy.request({ ':method': 'POST' }, { endStream: false }).on('error', () => undefined);
    // Half of the strangers are one address' own.
    if (!('maxStrangers' in bounds)) await eventually('the call', () => calls.open === 1);
    const next = speak(port);
    await once(next, 'remoteSettings');
    await eventually('the end of one', () => busy.destroyed || idle.destroyed);
    if (!('maxStrangers' in bounds)) expect([busy.destroyed, idle.destroyed]).toEqual([false, true]);
  },
);

test('an address may make so many calls that nobody stands for, and is then refused', async () => {
  const { port } = await listen({}, undefined, (stream) => {
    stream.respond({ ':status': 401 }, { endStream: true });
    setImmediate(() => resetStream(stream, constants.NGHTTP2_NO_ERROR));
  });
  let answered = 0;
  const callUntilCut = async () => {
    const session = speak(port);
    while (!session.closed) {
      const call = session.request({ ':method': 'POST' }, { endStream: true }).on('error', () => undefined);
      call.on('response', () => {
        answered += 1;
      });
      await new Promise((resolve) => call.resume().once('close', resolve));
    }
    await eventually('the cut', isOver(session));
  };
  // The third one that is cut is one too many.
  for (let time = 0; time < 3; time += 1) await callUntilCut();
  expect(answered).toBeGreaterThanOrEqual(2_000);
  const next = silent(port);
  await eventually('the refusal', isOver(next));
  expect(next.bytesRead).toBe(0);
});

test('connections whose streams are reset in large numbers are cut, and an address that comes back for more is refused', async () => {
  const { port } = await listen({});
  const resetMany = async () => {
    const peer = await connectPeer(`http://127.0.0.1:${port}`);
    onTestFinished(peer.close);
    peer.openAndReset({ ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'a' }, 500);
    await eventually('the cut', peer.isClosed);
    return peer.received.size;
  };
  for (let time = 0; time < 3; time += 1) expect(await resetMany()).toBeGreaterThan(0);
  // Not even the settings of HTTP/2 are sent.
  expect(await resetMany()).toBe(0);
});
