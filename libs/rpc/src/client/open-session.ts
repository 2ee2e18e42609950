import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { sessionMemoryMegabytes } from '../connection-limits.ts';
import type { TlsIdentity } from '../tls-identity.ts';

/** Windows of answers: a large page goes at full speed. */
const windowBytes = 16 * 1024 * 1024;
/** How long an endpoint may take to send its HTTP/2 settings, TLS included; a loaded one takes a while. */
const connectTimeoutMs = 4_000;
/** A hung process, or a network that drops packets, is detected after these two together. */
const ping = { intervalMs: 5_000, timeoutMs: 5_000 };

export interface SessionOptions {
  /** Origin of the endpoint: the value of `:authority`, and the name that its certificate must show. */
  url: string;
  /** The IP address to connect to. Unset: the system resolves the host. */
  address?: string | undefined;
  tls?: Partial<TlsIdentity> | undefined;
}

/**
 * Opens a connection to an endpoint and pings it: if a ping is not answered in time, the connection is
 * destroyed and the calls on it fail.
 *
 * A connection is open once the endpoint has sent its settings. A TCP connection alone proves nothing:
 * the operating system accepts connections for a process that hangs. Connect's `Http2SessionManager`
 * counts TCP as open, and blocks the event loop where a GOAWAY comes early (docs/adr/0026-own-connections.md).
 *
 * @throws the error of the connection, or one that says that it took too long.
 */
export function openSession(options: SessionOptions): Promise<ClientHttp2Session> {
  const { url } = options;
  const socket = openSocket(options);
  const session = connect(url, {
    createConnection: () => socket,
    settings: { initialWindowSize: windowBytes, enablePush: false },
    maxSessionMemory: sessionMemoryMegabytes,
  });
  return new Promise((resolve, reject) => {
    let failure = new Error('the connection was closed before it was open');
    session.on('error', (error) => {
      failure = error;
    });
    const timer = afterInput(connectTimeoutMs, () => {
      failure = new Error('connecting took too long, or the client certificate was refused');
      reject(failure);
      cut(session, socket, failure);
    });
    session.once('close', () => {
      timer.cancel();
      reject(failure);
    });
    session.once('remoteSettings', () => {
      timer.cancel();
      session.setLocalWindowSize(windowBytes);
      keepAlive(session, socket);
      resolve(session);
    });
  });
}

function openSocket({ url, address, tls = {} }: SessionOptions): Socket {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const target = { host: address ?? host, port: Number(port) || (isSecure ? 443 : 80) };
  if (!isSecure) return connectTcp(target);
  return connectTls({
    ...target,
    ALPNProtocols: ['h2'],
    servername: isIP(host) === 0 ? host : '',
    ca: tls.authority,
    cert: tls.certificate,
    key: tls.key,
  });
}

function keepAlive(session: ClientHttp2Session, socket: Socket): void {
  const interval = setInterval(() => {
    if (session.destroyed) {
      clearInterval(interval);
      socket.destroy();
      return;
    }
    const silent = () => cut(session, socket, new Error('a ping was not answered'));
    const timer = afterInput(ping.timeoutMs, silent);
    if (!session.ping(timer.cancel)) timer.cancel();
  }, ping.intervalMs);
  session.once('close', () => clearInterval(interval));
}

/**
 * Calls `late` after `timeoutMs`, but not before pending input was read: a busy client must not blame
 * the endpoint for its own delay.
 */
function afterInput(timeoutMs: number, late: () => void): { cancel(): void } {
  let isOver = false;
  const timer = setTimeout(() => {
    setImmediate(() => {
      if (!isOver) late();
    });
  }, timeoutMs);
  return {
    cancel() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Destroys the socket too: a session that the other side ended within TLS, as when it refuses a
 * certificate, counts as destroyed but neither closes its socket nor emits `close`.
 */
function cut(session: ClientHttp2Session, socket: Socket, reason: Error): void {
  session.destroy(reason);
  socket.destroy();
}
