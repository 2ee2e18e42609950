import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectionRoom, sessionMemoryMegabytes } from '../server/connection-limits.ts';
import type { TlsIdentity } from '../tls-identity.ts';

/** How long a process may take until it says that it speaks HTTP/2, TLS included; a loaded one takes a while. */
const connectTimeoutMs = 4_000;
/** A process that is hung, or a network that swallows packets, is found out after these two together. */
const ping = { intervalMs: 5_000, timeoutMs: 5_000 };

export interface SessionOptions {
  /** Origin of the process: what `:authority` says, and whose certificate it must show. */
  url: string;
  /** The IP address to connect to. Unset: what the system finds for the host. */
  address?: string | undefined;
  tls?: Partial<TlsIdentity> | undefined;
}

/**
 * Opens a connection to a process and watches that it is alive: one that does
 * not answer a ping in time is cut, and the calls on it fail.
 *
 * It counts as open once the other side has sent its settings: a process that
 * hangs has its connections accepted by the operating system all the same.
 *
 * @throws the error of the connection, or one that says that it took too long.
 */
export function openSession(options: SessionOptions): Promise<ClientHttp2Session> {
  const { url } = options;
  const socket = openSocket(options);
  const session = connect(url, {
    createConnection: () => socket,
    settings: { initialWindowSize: connectionRoom.part.streamWindowBytes, enablePush: false },
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
      session.setLocalWindowSize(connectionRoom.part.sessionWindowBytes);
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
 * Calls `late` after so long, but not before what has arrived was read: a busy
 * process must not take its own delay for that of the other side.
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
 * The socket as well: a session that the other side ended within TLS, as when
 * it refuses a certificate, counts as destroyed but neither closes nor says so.
 */
function cut(session: ClientHttp2Session, socket: Socket, reason: Error): void {
  session.destroy(reason);
  socket.destroy();
}
