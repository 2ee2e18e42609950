import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
} from 'node:http2';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { connectionLimits } from './connection-limits.ts';
import { limitConnectionsOfAddress } from './connections-of-address.ts';
import { type ConnectionBounds, guardConnection } from './guard-connection.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** Calls that one connection may have under way; a client opens more connections for more. */
const maxConcurrentStreams = 1_000;
/**
 * Streams a client may reset at once and per second: a gateway that loses many
 * readers resets many on a connection, but each costs time that others wait for.
 */
const streamResets = { burst: 20_000, perSecond: 2_000 };
/**
 * Streams that a connection may lack room for until it is cut. While a process
 * is busy, those that were reset take room as well; by Node's default of 100
 * the others on the connection would pay for them.
 */
const rejectedStreamsMax = streamResets.burst;
/**
 * A gateway keeps at most 20 connections to a process, half of them for its RPC
 * port; so many let in 100 gateways, and idle ones of strangers for 5 minutes.
 * Half of them are for one address at most: another still gets in, and a proxy
 * that all callers come through is as good as 50 gateways, unless told otherwise.
 */
const defaultBounds: ConnectionBounds = {
  connectionsMax: 2_000,
  connectionsPerAddressMax: 1_000,
  setUpTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  farewellMs: 10_000,
};
/** The highest number of a stream: a GOAWAY with it asks for no new calls and refuses none that are on their way. */
const lastStreamOfAll = 2 ** 31 - 1;

/** Clients get so long to stop sending and hang up; what they sent before they knew still arrives. */
const noticeMs = 200;
/** How long calls under way may go on after that. */
const defaultDrainTimeoutMs = 10_000;
/** How long calls that were told to end may take to say so. */
const lastWordsMs = 1_000;

/** An HTTP/2 listener that goes away gracefully. */
export interface Http2Listener {
  /** The port that was bound. */
  port: number;
  /** Takes no new connections, lets calls under way finish within a bound, then cuts what is left. */
  close(): Promise<void>;
}

export interface Http2ListenerOptions {
  host: string;
  port: number;
  /** Unset: HTTP/2 without TLS. */
  tls?: TlsIdentity | undefined;
  /** How long calls may go on after `close`, 10 seconds unless told. */
  drainTimeoutMs?: number;
  /** Those of `defaultBounds` unless told. */
  bounds?: Partial<ConnectionBounds>;
  /** Puts what answers onto the server: a listener for `request` or for `stream`. */
  attach(server: Http2Server | Http2SecureServer): void;
  /** The listener is going away: long streams should be told. */
  onClosing(): void;
  /** Calls had their time: those still under way must end now. */
  onOverdue(): void;
}

/**
 * Binds a port for HTTP/2, with TLS and client certificates where asked for.
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startHttp2Listener(options: Http2ListenerOptions): Promise<Http2Listener> {
  const bounds = { ...defaultBounds, ...options.bounds };
  const server = createHttp2Server(options.tls, bounds);
  server.maxConnections = bounds.connectionsMax;
  /** The one that the next session is made on. */
  let accepted: Socket;
  server.prependListener(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    accepted = socket;
  });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on('connection', limitConnectionsOfAddress(bounds.connectionsPerAddressMax));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let isClosing = false;
  server.on('session', (session) => {
    sessions.add(session);
    guardConnection(session, accepted, bounds);
    session.setLocalWindowSize(connectionLimits.windowBytes);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    if (isClosing) session.close();
  });
  options.attach(server);
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      isClosing = true;
      options.onClosing();
      // The plain method: that of HTTP/2 would close idle connections while calls are on their way to them.
      const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
      for (const session of sessions) {
        if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamOfAll);
      }
      await within(closed, noticeMs);
      for (const session of sessions) session.close();
      await within(closed, options.drainTimeoutMs ?? defaultDrainTimeoutMs);
      options.onOverdue();
      await within(closed, lastWordsMs);
      // The sockets: a session that closes waits for the other side to hang up as well.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function createHttp2Server(
  tls: TlsIdentity | undefined,
  { setUpTimeoutMs }: ConnectionBounds,
): Http2Server | Http2SecureServer {
  const common = {
    settings: { initialWindowSize: connectionLimits.windowBytes, maxConcurrentStreams },
    maxSessionMemory: connectionLimits.sessionMemoryMegabytes,
    streamResetBurst: streamResets.burst,
    streamResetRate: streamResets.perSecond,
    maxSessionRejectedStreams: rejectedStreamsMax,
  };
  if (tls === undefined) return createServer(common);
  const { certificate, key, authority } = tls;
  const clients =
    authority === undefined ? {} : { ca: authority, requestCert: true, rejectUnauthorized: true };
  return createSecureServer({
    ...common,
    ...clients,
    cert: certificate,
    key,
    handshakeTimeout: setUpTimeoutMs,
  });
}

function listen(
  server: Http2Server | Http2SecureServer,
  { host, port }: { host: string; port: number },
): Promise<void> {
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
