import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  type Http2SecureServer,
  type Http2Server,
} from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionBounds } from './guard-connection.ts';
import { startHttp2Listener } from './http2-listener.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** A listener that answers nothing; it is closed at the end of the test. */
async function listen(bounds: Partial<ConnectionBounds>, tls?: TlsIdentity) {
  let server: Http2Server | Http2SecureServer | undefined;
  const calls = { open: 0 };
  const { port, close } = await startHttp2Listener({
    host: '127.0.0.1',
    port: 0,
    drainTimeoutMs: 0,
    bounds,
    tls,
    attach(attached) {
      server = attached;
      attached.on('stream', (stream) => {
        calls.open += 1;
        stream.on('error', () => undefined);
        stream.once('close', () => {
          calls.open -= 1;
        });
      });
    },
    onClosing: () => undefined,
    onOverdue: () => undefined,
  });
  onTestFinished(close);
  return { port, calls, server: server as Http2Server | Http2SecureServer };
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

test('a peer that never begins to speak HTTP/2 is cut in time, and one that does stays', async () => {
  const { port } = await listen({ setUpTimeoutMs: 2_000 });
  const [mute, slow, good] = [silent(port), silent(port), speak(port)];
  slow.write('PRI * HTTP/2.0\r\n');
  await Promise.all([mute, slow].map((socket) => eventually('the cut', isOver(socket))));
  expect(good.destroyed).toBe(false);
  await new Promise((resolve) => good.ping(resolve));
});

test.skipIf(!canMakeCertificates)(
  'with TLS, neither half a handshake nor silence after it holds a connection',
  async () => {
    const { server, client } = await makeCertificates();
    const { port } = await listen({ setUpTimeoutMs: 2_000 }, server);
    const shaken = connectTls({
      ...{ host: '127.0.0.1', port, ALPNProtocols: ['h2'] },
      ...{ ca: client.authority, cert: client.certificate, key: client.key },
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
  const { port, server } = await listen({ idleTimeoutMs: 100, farewellMs: 100 });
  const peer = silent(port);
  // The preface and empty settings; it acknowledges nothing and ignores what it reads.
  peer.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  peer.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
  const connections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  await eventually('it to be there', async () => (await connections()) === 1);
  await eventually('the cut', async () => (await connections()) === 0);
});

test.each([
  ['of all', { connectionsMax: 2 }],
  ['of an address', { connectionsPerAddressMax: 2 }],
])('connections above the bound %s are closed, and there is room again when others go', async (_, bounds) => {
  const { port } = await listen(bounds);
  const [first, second] = [speak(port), speak(port)];
  await Promise.all([once(first, 'remoteSettings'), once(second, 'remoteSettings')]);
  const third = speak(port);
  await eventually('the refusal', isOver(third));
  first.destroy();
  await eventually('room', async () => {
    const next = speak(port);
    const welcome = once(next, 'remoteSettings').then(() => true);
    return Promise.race([welcome, once(next, 'close').then(() => false)]);
  });
  expect(second.destroyed).toBe(false);
});

test('connections that cannot be accepted do not end the process', async () => {
  const { port, server } = await listen({});
  for (let time = 0; time < 3; time += 1) server.emit('error', new Error('accept EMFILE'));
  await once(speak(port), 'remoteSettings');
});
