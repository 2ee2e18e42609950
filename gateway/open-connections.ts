import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createPermits } from '@teammemory/admission/permits.ts';
import { networkOf } from '@teammemory/rpc/auth/call-origin.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientAddressOf } from './client-address.ts';

/** Connections in all, even with more descriptors: each takes some 10 KiB. */
const maxConnections = 10_000;
/** Share of the process's file descriptors for these connections; stores, the RPC port and calls need the rest. */
const descriptorShare = 0.4;
/** Assumed where the operating system does not report the limit. */
const usualDescriptors = 1_024;
/**
 * Connections of one address without a request with a valid key so far. A reverse proxy, which is the address of all its
 * clients, has few of them, because it opens a connection only to pass a request on.
 */
const maxUntrustedPerAddress = 256;
/**
 * How long a new connection may be silent before it counts as idle. A proxy or a busy program opens many connections at
 * once when it starts.
 */
const burstMs = 1_000;
/**
 * Pipelined requests of one connection. Clients hardly ever send a second request before the answer, but Node emits every
 * request in what it has read: some 80,000 of the shortest ones in one turn of the event loop.
 */
const maxRequestsOfConnection = 16;

interface Connection {
  socket: Socket;
  address: string;
  requests: number;
  isTrusted: boolean;
  openedMs: number;
}

/**
 * The connections of the public port. Written by hand because Node's `maxConnections` can only refuse new connections, and so lets silent ones keep others
 * out.
 *
 * Bounds the connections in all, and those of one address that are untrusted (without a request with a valid key).
 * Above a bound the connection that was idle longest is closed, untrusted ones first, so a client that opens many silent
 * connections loses its own, and active clients are served. An address may exceed its bound for a second, because all of
 * its new connections may be about to send a request. The requests of one team may occupy at most half of all
 * connections. A connection with too many pipelined requests is closed.
 */
export class OpenConnections {
  /** Most connections at once. */
  readonly max = Math.min(maxConnections, Math.floor(descriptorLimit() * descriptorShare));
  readonly #maxUntrusted = Math.min(maxUntrustedPerAddress, Math.ceil(this.max / 2));
  readonly #clientAddressOf: ClientAddressOf;
  readonly #connections = new Map<Socket, Connection>();
  /** Those in progress, by team. */
  readonly #requests = createPermits(
    { maxInAll: Number.POSITIVE_INFINITY, maxPerTeam: Math.ceil(this.max / 2) },
    'Your team has too many requests in progress; send the request again.',
  );
  readonly #untrustedOfAddress = new Map<string, number>();
  /** Addresses above their bound, which will be checked soon. */
  readonly #crowded = new Set<string>();
  /** Connections without a request in progress, the longest idle first. */
  readonly #idle = { untrusted: new Set<Connection>(), trusted: new Set<Connection>() };
  /** Counts connections closed to make room. */
  readonly #raiseClosed: () => void;
  /** Counts connections cut for their pipelined requests. */
  readonly #raiseCut: () => void;

  constructor({ clientAddressOf, metrics }: { clientAddressOf: ClientAddressOf; metrics: Metrics }) {
    this.#clientAddressOf = clientAddressOf;
    metrics.gauge('teammemory_http_connections', () => this.#connections.size);
    this.#raiseClosed = metrics.counter('teammemory_http_connections_closed_total');
    this.#raiseCut = metrics.counter('teammemory_http_connections_cut_total');
  }

  /** Watches a server from its first connection on. */
  watch(server: Server): void {
    server.on('connection', (socket) => this.#open(socket));
    const listeners = server.listeners('request') as RequestListener[];
    // This listener replaces them, so that refused requests do not reach them.
    server.removeAllListeners('request').on('request', (request, response) => {
      const connection = this.#connections.get(request.socket);
      // Node still emits the requests that a connection sent before it was closed.
      if (connection === undefined) return;
      if (connection.requests === maxRequestsOfConnection) {
        this.#raiseCut();
        this.#forget(connection);
        connection.socket.destroy();
        return;
      }
      connection.requests += 1;
      if (!connection.isTrusted) this.#countFor(connection, networkOf(this.#clientAddressOf(request)));
      this.#idleLike(connection).delete(connection);
      response.once('close', () => {
        connection.requests -= 1;
        if (connection.requests === 0 && this.#connections.has(connection.socket)) {
          this.#idleLike(connection).add(connection);
        }
      });
      for (const listener of listeners) listener(request, response);
    });
  }

  /**
   * Marks the connection of a request with a valid key as trusted, and counts the request until its answer was sent.
   * @throws AppError `unavailable` if requests of the team occupy half of all connections.
   */
  trust({ raw: { socket }, caller }: FastifyRequest, reply: FastifyReply): void {
    const connection = this.#connections.get(socket);
    if (connection?.isTrusted === false) {
      // It has a request in progress, so it is in neither set of idle connections.
      connection.isTrusted = true;
      this.#countUntrusted(connection.address, -1);
    }
    reply.raw.once('close', this.#requests.acquire(caller));
  }

  /** Closes connections that have sent nothing. Node 24 keeps a server that closes waiting for them; later ones do not. */
  closeUnused(): void {
    for (const socket of this.#connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  #idleLike({ isTrusted }: Connection): Set<Connection> {
    return isTrusted ? this.#idle.trusted : this.#idle.untrusted;
  }

  #countUntrusted(address: string, change: number): void {
    const count = (this.#untrustedOfAddress.get(address) ?? 0) + change;
    if (count > 0) this.#untrustedOfAddress.set(address, count);
    else this.#untrustedOfAddress.delete(address);
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#idleLike(connection).delete(connection);
    if (!connection.isTrusted) this.#countUntrusted(connection.address, -1);
  }

  /** Closes the first of the candidates, or the new connection if there is none. */
  #makeRoom(newest: Connection, candidates: Iterable<Connection>): void {
    this.#raiseClosed();
    const [longest = newest] = candidates;
    // A destroyed socket emits `close` later, but must not count any more.
    this.#forget(longest);
    longest.socket.destroy();
  }

  /** Yields the untrusted connections of an address that are idle and no longer new. */
  *#silentOf(address: string): Generator<Connection> {
    const beforeMs = performance.now() - burstMs;
    for (const connection of this.#idle.untrusted)
      if (connection.address === address && connection.openedMs < beforeMs) yield connection;
  }

  #hasTooMany(address: string): boolean {
    return (this.#untrustedOfAddress.get(address) ?? 0) > this.#maxUntrusted;
  }

  /** Closes the surplus of an address after new connections had time to send a request. */
  #closeSilentSoon(address: string): void {
    if (this.#crowded.has(address)) return;
    this.#crowded.add(address);
    const close = () => {
      this.#crowded.delete(address);
      for (const connection of this.#silentOf(address))
        if (this.#hasTooMany(address)) this.#makeRoom(connection, [connection]);
      if (this.#hasTooMany(address)) this.#closeSilentSoon(address);
    };
    setTimeout(close, burstMs).unref();
  }

  #open(socket: Socket): void {
    const address = networkOf(socket.remoteAddress);
    const connection = { socket, address, requests: 0, isTrusted: false, openedMs: performance.now() };
    this.#connections.set(socket, connection);
    this.#countUntrusted(address, 1);
    socket.once('close', () => this.#forget(connection));
    if (this.#connections.size > this.max) {
      this.#makeRoom(connection, this.#idle.untrusted.size > 0 ? this.#idle.untrusted : this.#idle.trusted);
    }
    if (this.#hasTooMany(address)) this.#closeSilentSoon(address);
    if (this.#connections.has(socket)) this.#idle.untrusted.add(connection);
  }

  /** A trusted proxy opens a connection for many clients: it counts for the one whose request came last. */
  #countFor(connection: Connection, address: string): void {
    if (connection.address === address) return;
    this.#countUntrusted(connection.address, -1);
    connection.address = address;
    this.#countUntrusted(address, 1);
    if (this.#hasTooMany(address)) this.#closeSilentSoon(address);
  }
}

/** Returns how many file descriptors this process may open. Node has raised the soft limit to the hard one. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? usualDescriptors : Number(soft);
  } catch {
    return usualDescriptors;
  }
}
