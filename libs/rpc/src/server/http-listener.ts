import {
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { connectionRoom, sessionMemoryMegabytes } from '../connection-limits.ts';
import type { TlsIdentity, TlsSource } from '../tls-identity.ts';
import type { OnStream } from './call-stream.ts';
import { type Connection, type ConnectionBounds, guardConnection } from './guard-connection.ts';
import { createHttp1Connections, tellProtocol } from './http1-connections.ts';
import { createPeerRegistry, type Peer, type PeerEvent } from './peer-registry.ts';

/**
 * Streams that a client may reset at once and per second until Node cuts its
 * connection, before anything of ours runs. Between parts, a gateway that loses
 * many readers resets many; `guardConnection` holds those who did not prove that
 * they are a part to less.
 */
const streamResets = {
  public: { burst: 100, perSecond: 33 },
  parts: { burst: 20_000, perSecond: 2_000 },
};
/**
 * A gateway keeps at most 20 connections to a process, half of them for its RPC
 * port; so many let in 100 gateways. Half of them are for one address at most:
 * another still gets in, and a proxy that all callers come through is as good as
 * 50 gateways, unless told otherwise. Strangers are those who are about to call
 * and those who check health.
 */
const defaultBounds: ConnectionBounds = {
  maxConnections: 2_000,
  maxConnectionsPerAddress: 1_000,
  maxStrangers: 500,
  strangerIdleMs: 15_000,
  idleTimeoutMs: 300_000,
  farewellMs: 10_000,
};
/** A peer that vanished without a word is found out by the system: after so long, and ten probes a second apart. */
const keepAliveMs = 30_000;
/** The highest number of a stream: a GOAWAY with it asks for no new calls and refuses none that are on their way. */
const lastStreamOfAll = 2 ** 31 - 1;

/** Clients get so long to stop sending and hang up; what they sent before they knew still arrives. */
const noticeMs = 200;
/** How long calls under way may go on after that. */
const defaultDrainTimeoutMs = 10_000;
/** How long calls that were told to end may take to say so. */
const lastWordsMs = 1_000;

/** A listener that goes away gracefully. */
export interface HttpListener {
  /** The port that was bound. */
  port: number;
  /** Takes no new connections, lets calls under way finish within a bound, then cuts what is left. */
  close(): Promise<void>;
}

export interface HttpListenerOptions {
  host: string;
  port: number;
  /** Unset: without TLS. Whether it has an authority must not change. */
  tls?: TlsSource | undefined;
  /** How long calls may go on after `close`, 10 seconds unless told. */
  drainTimeoutMs?: number;
  /** Those of `defaultBounds` unless told. */
  bounds?: Partial<ConnectionBounds>;
  /** Who connects: `parts` of the installation beside others, or the public alone. */
  peers: 'public' | 'parts';
  metrics?: Metrics | undefined;
  /** Answers a call. Calls whose stream is already closed are not passed on. */
  onStream: OnStream;
  /** The listener is going away: long streams should be told. */
  onClosing(): void;
  /** Calls had their time: those still under way must end now. */
  onOverdue(): void;
}

/**
 * Binds a port for HTTP/2 and HTTP/1.1, with TLS and client certificates where asked for. The protocol is told by
 * ALPN with TLS, and by the first bytes without.
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startHttpListener(options: HttpListenerOptions): Promise<HttpListener> {
  const { tls, metrics } = options;
  const asksForCertificates = tls?.().authority !== undefined;
  const bounds = { ...defaultBounds, ...options.bounds };
  const http2 = createSessions(options);
  const registry = createPeerRegistry(bounds, {
    clock: () => performance.now(),
    onEvent: countPeerEvents(metrics),
  });
  metrics?.gauge('teammemory_rpc_strangers', () => registry.count('stranger'));
  const peers = new Map<string, Peer>();
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  const http1 = createHttp1Connections({
    registry,
    idleTimeoutMs: bounds.idleTimeoutMs,
    onStream: options.onStream,
    peersAreParts: asksForCertificates,
  });
  const take = (socket: Socket, protocol: 'http1' | 'http2'): void => {
    const peer = peers.get(connectionKey(socket));
    if (peer === undefined) socket.destroy();
    else if (protocol === 'http2') http2.emit('connection', socket);
    else http1.accept(socket, peer);
  };
  const secure = tls === undefined ? undefined : createTlsEnd(tls, bounds, take);
  // In front of HTTP, so that a connection is refused before anything is set up for it.
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const peer = registry.admit(socket);
    if (peer === undefined) {
      socket.destroy();
      return;
    }
    socket.setKeepAlive(true, keepAliveMs);
    sockets.add(socket);
    const name = connectionKey(socket);
    peers.set(name, peer);
    socket.once('close', () => {
      sockets.delete(socket);
      peers.delete(name);
    });
    if (secure !== undefined) secure.accept(socket);
    else tellProtocol(socket, (protocol) => take(socket, protocol));
  });
  let isClosing = false;
  http2.on('session', (session) => {
    let connection: Connection | undefined;
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', (error: Error & { code?: string }) => {
      session.destroy();
      // Node's own word for what broke the rules of HTTP/2, opened or reset too many streams.
      if (error.code === 'ERR_HTTP2_ERROR' && peer?.standing !== 'part') connection?.cut();
    });
    const peer = peers.get(connectionKey(session.socket));
    if (peer === undefined) {
      session.destroy();
      return;
    }
    connection = guardConnection(session, peer.socket, peer, registry, bounds);
    // A peer with a certificate of our authority counts as a part once it sends something.
    if (asksForCertificates) session.once('remoteSettings', () => connection?.raise('part'));
    if (isClosing) session.close();
  });
  http2.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number) => {
    // Told by `close` as well.
    stream.on('error', () => undefined);
    if (!stream.destroyed && !stream.closed) options.onStream(stream, headers, flags);
  });
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      isClosing = true;
      options.onClosing();
      registry.close();
      http1.startClosing();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) {
        if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamOfAll);
      }
      await within(closed, noticeMs);
      for (const session of sessions) session.close();
      http1.closeIdle();
      await within(closed, options.drainTimeoutMs ?? defaultDrainTimeoutMs);
      options.onOverdue();
      await within(closed, lastWordsMs);
      // The sockets: a session that closes waits for the other side to hang up as well.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Makes what speaks HTTP/2 on connections that others accept. */
function createSessions({ peers }: HttpListenerOptions): Http2Server {
  const { streams, streamWindowBytes } = connectionRoom.stranger;
  const resets = streamResets[peers];
  return createHttp2Server({
    settings: { initialWindowSize: streamWindowBytes, maxConcurrentStreams: streams },
    maxSessionMemory: sessionMemoryMegabytes,
    streamResetBurst: resets.burst,
    streamResetRate: resets.perSecond,
    // Streams that find no room. While a process is busy those that were reset take room as well; by Node's default
    // of 100 the others on the connection would pay for them.
    maxSessionRejectedStreams: resets.burst,
  });
}

/** Makes what shakes hands on connections that others accept; `take` gets them after that. */
function createTlsEnd(
  identity: TlsSource,
  { strangerIdleMs }: ConnectionBounds,
  take: (socket: Socket, protocol: 'http1' | 'http2') => void,
): { accept(socket: Socket): void } {
  let present = identity();
  const clients = present.authority === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
  const server = createTlsServer({
    ...clients,
    ...contextOf(present),
    handshakeTimeout: strangerIdleMs,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy());
    take(socket, socket.alpnProtocol === 'h2' ? 'http2' : 'http1');
  });
  return {
    accept(socket) {
      const wanted = identity();
      if (wanted !== present) {
        present = wanted;
        // Connections that are open, or shaking hands, go on with what they began with.
        server.setSecureContext(contextOf(wanted));
      }
      server.emit('connection', socket);
    },
  };
}

function contextOf({ certificate, key, authority }: TlsIdentity) {
  return { cert: certificate, key, ...(authority === undefined ? {} : { ca: authority }) };
}

/** Returns a key of a connection among all open ones. A TLS connection has the same key as the socket below it. */
function connectionKey({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}

function countPeerEvents(metrics: Metrics | undefined): (event: PeerEvent) => void {
  const count = (reason: PeerEvent) =>
    metrics?.counter('teammemory_rpc_connections_refused_total', { reason });
  const counters: Record<PeerEvent, ((by?: number) => void) | undefined> = {
    refused_address: count('refused_address'),
    refused_full: count('refused_full'),
    evicted: count('evicted'),
    idle: count('idle'),
    misbehaved: count('misbehaved'),
  };
  return (event) => counters[event]?.();
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      // A connection that could not be accepted must not end the process.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Waits for `event`, but not longer than `timeoutMs`. */
async function within(event: Promise<void>, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([event, late.promise]);
  clearTimeout(timer);
}
