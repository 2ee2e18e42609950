import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  constants,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { connectionRoom, sessionMemoryMegabytes } from '../connection-limits.ts';
import type { TlsIdentity, TlsSource } from '../tls-identity.ts';
import { Call } from './call.ts';
import { Connection, type ConnectionBounds } from './connection.ts';

/**
 * Streams that a client may reset at once and per second until Node cuts its connection. Between parts, a gateway that
 * loses many readers resets many.
 */
const streamResets = {
  public: { burst: 100, perSecond: 33 },
  parts: { burst: 20_000, perSecond: 2_000 },
};
/**
 * A gateway keeps at most 20 connections to a process, half of them for its RPC port; so many let in 100 gateways. Half
 * of them are for one address at most: another still gets in.
 */
const defaultBounds: ConnectionBounds = {
  maxConnections: 2_000,
  maxConnectionsPerAddress: 1_000,
  strangerIdleMs: 15_000,
  idleTimeoutMs: 300_000,
};
/** Bytes of the headers of a call. */
const maxHeaderBytes = 16 * 1024;
/** Over HTTP/1.1 a client waits for each answer; the next call may come before we hear that the last one was taken. */
const maxHttp1Calls = 2;
/** What a connection of HTTP/2 begins with; no request of HTTP/1.1 does. */
const http2Preface = Buffer.from('PRI');
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
  /** Answers a call. */
  onCall(call: Call): void;
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
  const { tls, peers } = options;
  const bounds = { ...defaultBounds, ...options.bounds };
  const asksForCertificates = tls?.().authority !== undefined;
  const countRefused = options.metrics?.counter('teammemory_rpc_connections_refused_total');
  const open = new Map<string, Connection>();
  const perAddress = new Map<string, number>();
  let isClosing = false;

  /** Notes a connection; undefined where there are too many. */
  function admit(socket: Socket): Connection | undefined {
    const connection = new Connection(socket, bounds);
    const { address } = connection;
    const ofAddress = perAddress.get(address) ?? 0;
    if (open.size >= bounds.maxConnections || ofAddress >= bounds.maxConnectionsPerAddress) {
      countRefused?.();
      return undefined;
    }
    const key = connectionKey(socket);
    open.set(key, connection);
    perAddress.set(address, ofAddress + 1);
    socket.once('close', () => {
      open.delete(key);
      const left = (perAddress.get(address) ?? 0) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    return connection;
  }

  function beginHttp1(request: IncomingMessage, response: ServerResponse): void {
    const connection = open.get(connectionKey(request.socket));
    if (connection === undefined || connection.calls >= maxHttp1Calls) {
      request.socket.destroy();
      return;
    }
    if (isClosing) response.shouldKeepAlive = false;
    if (asksForCertificates) connection.raise('part');
    const call = new Call(request, response, connection);
    if (!/^application\/grpc(?!-web)/i.test(request.headers['content-type'] ?? '')) options.onCall(call);
    else {
      response.writeHead(505, { 'content-type': 'text/plain' });
      response.write('gRPC needs HTTP/2. Over HTTP/1.1 call with Connect or gRPC-Web.');
      call.end(noticeMs);
    }
  }

  function beginHttp2(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { destroyed, session } = request.stream;
    const connection = session === undefined ? undefined : sessions.get(session);
    if (connection === undefined || destroyed) request.stream.destroy();
    else options.onCall(new Call(request, response, connection));
  }

  // Never listens. Its own time-outs need that; those of the calls and of the connection stand in for them.
  const http1 = createHttp1Server({ maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 0 }, beginHttp1);
  http1.on('checkContinue', beginHttp1);
  const { streams, streamWindowBytes } = connectionRoom.stranger;
  const { burst, perSecond } = streamResets[peers];
  const http2Options = {
    settings: {
      initialWindowSize: streamWindowBytes,
      maxConcurrentStreams: streams,
      maxHeaderListSize: maxHeaderBytes,
    },
    maxSessionMemory: sessionMemoryMegabytes,
    streamResetBurst: burst,
    streamResetRate: perSecond,
    // Streams that find no room. While a process is busy those that were reset take room as well; by Node's default
    // of 100 the others on the connection would pay for them.
    maxSessionRejectedStreams: burst,
  };
  const http2 = createHttp2Server(http2Options, beginHttp2);
  http2.on('checkContinue', beginHttp2);
  const sessions = new WeakMap<object, Connection>();
  http2.on('session', (session) => {
    const connection = open.get(connectionKey(session.socket));
    if (connection === undefined) {
      session.destroy();
      return;
    }
    connection.session = session;
    sessions.set(session, connection);
    // What broke the rules of HTTP/2, or opened or reset too many streams.
    session.on('error', () => connection.socket.destroy());
    // A peer with a certificate of our authority counts as a part once it sends something.
    if (asksForCertificates) session.once('remoteSettings', () => connection.raise('part'));
    if (isClosing) session.close();
  });

  const take = (socket: Socket, protocol: 'http1' | 'http2') => {
    (protocol === 'http2' ? http2 : http1).emit('connection', socket);
    // What was read to find out the protocol waits.
    if (protocol === 'http1') socket.resume();
  };
  const acceptTls = tls && createTlsEnd(tls, bounds, take);
  // In front of HTTP, so that a connection is refused before anything is set up for it.
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (admit(socket) === undefined) {
      socket.destroy();
      return;
    }
    socket.setKeepAlive(true, keepAliveMs);
    if (acceptTls !== undefined) acceptTls(socket);
    else tellProtocol(socket, (protocol) => take(socket, protocol));
  });
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      isClosing = true;
      options.onClosing();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { session } of open.values()) {
        if (session?.destroyed === false) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamOfAll);
      }
      await within(closed, noticeMs);
      for (const { session, socket, calls } of open.values()) {
        if (session !== undefined) session.close();
        else if (calls === 0) socket.end();
      }
      await within(closed, options.drainTimeoutMs ?? defaultDrainTimeoutMs);
      options.onOverdue();
      await within(closed, lastWordsMs);
      // The sockets: a session that closes waits for the other side to hang up as well.
      for (const { socket } of open.values()) socket.destroy();
      await closed;
    },
  };
}

/** Makes what shakes hands on connections that others accept; `take` gets them after that. */
function createTlsEnd(
  identity: TlsSource,
  { strangerIdleMs }: ConnectionBounds,
  take: (socket: Socket, protocol: 'http1' | 'http2') => void,
): (socket: Socket) => void {
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
  return (socket) => {
    const wanted = identity();
    if (wanted !== present) {
      present = wanted;
      // Connections that are open, or shaking hands, go on with what they began with.
      server.setSecureContext(contextOf(wanted));
    }
    server.emit('connection', socket);
  };
}

function contextOf({ certificate, key, authority }: TlsIdentity) {
  return { cert: certificate, key, ...(authority === undefined ? {} : { ca: authority }) };
}

/** Calls `decide` once the first bytes of a connection tell its protocol; they stay to be read. */
function tellProtocol(socket: Socket, decide: (protocol: 'http1' | 'http2') => void): void {
  const look = () => {
    const head: Buffer | null = socket.read(http2Preface.length);
    if (head === null) return;
    socket.off('readable', look);
    // The other side hung up before that.
    if (head.length < http2Preface.length) {
      socket.destroy();
      return;
    }
    socket.unshift(head);
    decide(head.equals(http2Preface) ? 'http2' : 'http1');
  };
  socket.on('readable', look);
}

/** Returns a key of a connection among all open ones. A TLS connection has the same key as the socket below it. */
function connectionKey({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
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
