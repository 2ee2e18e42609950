import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  constants,
  createServer as createHttp2Server,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { within } from '@teammemory/async/bounded-wait.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { sessionMemoryMegabytes } from '../connection-limits.ts';
import type { TlsIdentity, TlsSource } from '../tls-identity.ts';
import { Call } from './call.ts';
import { Connection, type ConnectionBounds, strangerSettings } from './connection.ts';

/**
 * Streams that a client may have open once it is known, and may reset at once and per second until Node cuts its
 * connection. Between parts, a gateway that loses many readers resets many.
 */
const streamBounds = {
  public: { maxStreams: 100, resets: 100, resetsPerSecond: 33 },
  parts: { maxStreams: 1_000, resets: 20_000, resetsPerSecond: 2_000 },
};
/**
 * A gateway keeps at most 20 connections to a process, half of them for its RPC port; so many let in 100 gateways. Half
 * of them are for one address at most: another still gets in.
 */
const defaultBounds = {
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
  /** Aborts when the listener begins to close: long streams should be told. */
  closing: AbortController;
  /** Aborts with an `unavailable` error when the time of calls under way is up. */
  overdue: AbortController;
}

/**
 * Binds a port for HTTP/2 and HTTP/1.1.
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startHttpListener(options: HttpListenerOptions): Promise<HttpListener> {
  const listener = new Listener(options);
  const port = await listener.listen();
  return { port, close: () => listener.close() };
}

/**
 * None of the HTTP servers listens. Time-outs of HTTP/1.1 need that; those of calls and connections stand in for them.
 */
const http1Options = { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 0 };

/** The options of HTTP/2 where connections may reset so many streams. */
function http2OptionsFor({ resets, resetsPerSecond }: { resets: number; resetsPerSecond: number }) {
  return {
    settings: { ...strangerSettings, maxHeaderListSize: maxHeaderBytes },
    maxSessionMemory: sessionMemoryMegabytes,
    streamResetBurst: resets,
    streamResetRate: resetsPerSecond,
    // Streams that find no room. While a process is busy those that were reset take room as well; by Node's default
    // of 100 the others on the connection would pay for them.
    maxSessionRejectedStreams: resets,
  };
}

/**
 * A listener for HTTP/2 and HTTP/1.1, with TLS and client certificates where asked for. The protocol is told by ALPN with
 * TLS, and by the first bytes without.
 */
class Listener {
  readonly #options: HttpListenerOptions;
  readonly #bounds: ConnectionBounds;
  readonly #http2Options: ReturnType<typeof http2OptionsFor>;
  readonly #countRefused: (() => void) | undefined;
  /** Open connections, by `connectionKey`. */
  readonly #open = new Map<string, Connection>();
  /** How many of them each address has. */
  readonly #perAddress = new Map<string, number>();
  readonly #server: Server;
  #isClosing = false;

  constructor(options: HttpListenerOptions) {
    const { tls, peers } = options;
    const { maxStreams } = streamBounds[peers];
    this.#options = options;
    this.#bounds = { ...defaultBounds, maxStreams, ...options.bounds };
    this.#http2Options = http2OptionsFor(streamBounds[peers]);
    this.#countRefused = options.metrics?.counter('teammemory_rpc_connections_refused_total');
    const accept = tls === undefined ? this.#acceptPlain() : this.#acceptTls(tls);
    // In front of HTTP, so that a connection is refused before anything is set up for it.
    this.#server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      if (this.#admit(socket) === undefined) {
        socket.destroy();
        return;
      }
      socket.setKeepAlive(true, keepAliveMs);
      accept(socket);
    });
  }

  /** Returns the port that was bound. */
  async listen(): Promise<number> {
    await listen(this.#server, this.#options);
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no new connections, lets calls under way finish within a bound, then cuts what is left. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const { closing, overdue, drainTimeoutMs = defaultDrainTimeoutMs } = this.#options;
    const reason = new ConnectError('the server is going away', Code.Unavailable);
    closing.abort(reason);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { session } of this.#open.values()) {
      if (session?.destroyed === false) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamOfAll);
    }
    await within(closed, noticeMs);
    for (const { session, socket, calls } of this.#open.values()) {
      if (session !== undefined) session.close();
      else if (calls === 0) socket.end();
    }
    await within(closed, drainTimeoutMs);
    overdue.abort(reason);
    await within(closed, lastWordsMs);
    // The sockets: a session that closes waits for the other side to hang up as well.
    for (const { socket } of this.#open.values()) socket.destroy();
    await closed;
  }

  /** Notes a connection; undefined where there are too many. */
  #admit(socket: Socket): Connection | undefined {
    const connection = new Connection(socket, this.#bounds);
    const { address } = connection;
    const ofAddress = this.#perAddress.get(address) ?? 0;
    if (
      this.#open.size >= this.#bounds.maxConnections ||
      ofAddress >= this.#bounds.maxConnectionsPerAddress
    ) {
      this.#countRefused?.();
      return undefined;
    }
    const key = connectionKey(socket);
    this.#open.set(key, connection);
    this.#perAddress.set(address, ofAddress + 1);
    socket.once('close', () => {
      this.#open.delete(key);
      const left = (this.#perAddress.get(address) ?? 0) - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    });
    return connection;
  }

  readonly #onRequest = (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void => {
    const stream = 'stream' in request ? request.stream : undefined;
    const connection = this.#open.get(connectionKey(request.socket));
    const hasRoom = stream === undefined ? (connection?.calls ?? 0) < maxHttp1Calls : !stream.destroyed;
    if (connection === undefined || !hasRoom) {
      (stream ?? request.socket).destroy();
      return;
    }
    const call = new Call(request, response, connection);
    if (stream === undefined && this.#isClosing) call.response.shouldKeepAlive = false;
    if (stream !== undefined || !/^application\/grpc(?!-web)/i.test(request.headers['content-type'] ?? '')) {
      this.#options.onCall(call);
      return;
    }
    call.response.writeHead(505, { 'content-type': 'text/plain' });
    call.response.write('gRPC needs HTTP/2. Over HTTP/1.1 call with Connect or gRPC-Web.');
    call.end();
  };

  readonly #onSession = (session: ServerHttp2Session): void => {
    const connection = this.#open.get(connectionKey(session.socket));
    if (connection === undefined) {
      session.destroy();
      return;
    }
    connection.session = session;
    // What broke the rules of HTTP/2, or opened or reset too many streams.
    session.on('error', () => connection.socket.destroy());
    if (this.#isClosing) session.close();
  };

  #acceptPlain(): (socket: Socket) => void {
    const http1 = createHttp1Server(http1Options, this.#onRequest).on('checkContinue', this.#onRequest);
    const http2 = createHttp2Server(this.#http2Options, this.#onRequest);
    http2.on('checkContinue', this.#onRequest).on('session', this.#onSession);
    return (socket) =>
      tellProtocol(socket, (isHttp2) => {
        (isHttp2 ? http2 : http1).emit('connection', socket);
        // What was read to find out the protocol waits.
        if (!isHttp2) socket.resume();
      });
  }

  #acceptTls(identity: TlsSource): (socket: Socket) => void {
    let present = identity();
    const server = createSecureServer(
      {
        ...http1Options,
        ...this.#http2Options,
        ...contextOf(present),
        allowHTTP1: true,
        requestCert: present.authority !== undefined,
        rejectUnauthorized: present.authority !== undefined,
        handshakeTimeout: this.#bounds.strangerIdleMs,
      },
      this.#onRequest,
    );
    server.on('checkContinue', this.#onRequest).on('session', this.#onSession);
    server.on('tlsClientError', (_, socket) => socket.destroy());
    server.on('secureConnection', (socket) => socket.on('error', () => socket.destroy()));
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
}

function contextOf({ certificate, key, authority }: TlsIdentity) {
  return { cert: certificate, key, ...(authority === undefined ? {} : { ca: authority }) };
}

/** Calls `decide` once the first bytes of a connection tell whether it is HTTP/2; they stay to be read. */
function tellProtocol(socket: Socket, decide: (isHttp2: boolean) => void): void {
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
    decide(head.equals(http2Preface));
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
