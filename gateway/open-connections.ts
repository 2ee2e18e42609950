import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createConcurrencyLimit } from '@teammemory/async/concurrency-limit.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Connections at most, however many descriptors there are: each takes some 10 KiB. */
const highestMax = 10_000;
/** Part of the process's descriptors that these connections may take: stores, the RPC port and calls need the others. */
const descriptorShare = 0.4;
/** Where the operating system does not tell how many descriptors a process may have. */
const usualDescriptors = 1_024;
/**
 * Connections of one address on which no request with a good key has come yet. A reverse proxy, which is the address
 * of all its clients, has few of these: it opens a connection to pass a request on.
 */
const highestUntrustedPerAddress = 256;
/**
 * How long a connection may take to say something before it counts as resting: many come at once where a proxy, or a
 * program with many questions, begins.
 */
const burstMs = 1_000;
/**
 * Requests that one connection may have under way. Clients hardly ever send a second one before they were answered, but
 * Node hands on all that it finds in what it read: of the shortest ones some 80,000 in one turn of the event loop.
 */
const maxRequestsOfConnection = 16;

/** The connections of the public port. */
export interface OpenConnections {
  /** Watches a server from its first connection on. */
  watch(server: Server): void;
  /**
   * Takes the connection of a request as one of somebody with a good key, and counts the request until its answer has left.
   * @throws AppError `unavailable` where the team has half of all connections busy.
   */
  trust(request: FastifyRequest, reply: FastifyReply): void;
}

interface Connection {
  socket: Socket;
  address: string;
  requests: number;
  isTrusted: boolean;
  openedMs: number;
}

/**
 * Bounds the connections, in all and of one address those without a good key.
 * Where one comes above a bound, the one that has rested longest is closed: who
 * opens many and is silent loses his own, and who has something to say is served.
 * In all, those without a good key go first. One team has at most half of them busy with its requests.
 * A connection that sends more requests at once than one may is cut.
 * An address has a second in which it may have too many, all of which may be about to say something.
 */
export function createOpenConnections({ metrics }: { metrics: Metrics }): OpenConnections {
  const max = Math.min(highestMax, Math.floor(descriptorLimit() * descriptorShare));
  const maxUntrustedPerAddress = Math.min(highestUntrustedPerAddress, Math.ceil(max / 2));
  const connections = new Map<Socket, Connection>();
  const requests = createConcurrencyLimit(
    { maxInAll: Number.POSITIVE_INFINITY, maxPerTeam: Math.ceil(max / 2) },
    'Your team has too many requests under way; send this one again.',
  );
  const untrustedOfAddress = new Map<string, number>();
  /** Addresses that have too many, which are looked at soon. */
  const crowded = new Set<string>();
  /** Those without a request under way, the one that has rested longest first. */
  const resting = { untrusted: new Set<Connection>(), trusted: new Set<Connection>() };
  const restingLike = ({ isTrusted }: Connection) => (isTrusted ? resting.trusted : resting.untrusted);
  metrics.gauge('http_connections', 'Connections open to the public port.', () => connections.size);
  const raiseClosed = metrics.counter(
    'http_connections_closed_total',
    'Connections that were closed to make room for others.',
  );
  const raiseCut = metrics.counter(
    'http_connections_cut_total',
    'Connections that were cut because they sent too many requests before they were answered.',
  );

  function countUntrusted(address: string, change: number): void {
    const count = (untrustedOfAddress.get(address) ?? 0) + change;
    if (count > 0) untrustedOfAddress.set(address, count);
    else untrustedOfAddress.delete(address);
  }

  function forget(connection: Connection): void {
    if (!connections.delete(connection.socket)) return;
    restingLike(connection).delete(connection);
    if (!connection.isTrusted) countUntrusted(connection.address, -1);
  }

  /** Closes one connection: the given one where no other rests. */
  function makeRoom(newest: Connection, candidates: Iterable<Connection>): void {
    raiseClosed();
    const [longest = newest] = candidates;
    // Destroyed sockets say so later; they are not counted any more.
    forget(longest);
    longest.socket.destroy();
  }

  /** Those of an address that have said nothing yet, or no more, since a while. */
  function* silentOf(address: string): Generator<Connection> {
    const beforeMs = performance.now() - burstMs;
    for (const connection of resting.untrusted)
      if (connection.address === address && connection.openedMs < beforeMs) yield connection;
  }

  function hasTooMany(address: string): boolean {
    return (untrustedOfAddress.get(address) ?? 0) > maxUntrustedPerAddress;
  }

  /** Closes what an address has too many of, once a burst of connections has had time to say something. */
  function closeSilentSoon(address: string): void {
    if (crowded.has(address)) return;
    crowded.add(address);
    const close = () => {
      crowded.delete(address);
      for (const connection of silentOf(address)) if (hasTooMany(address)) makeRoom(connection, [connection]);
      if (hasTooMany(address)) closeSilentSoon(address);
    };
    setTimeout(close, burstMs).unref();
  }

  function open(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    const connection = { socket, address, requests: 0, isTrusted: false, openedMs: performance.now() };
    connections.set(socket, connection);
    countUntrusted(address, 1);
    socket.once('close', () => forget(connection));
    if (connections.size > max) {
      makeRoom(connection, resting.untrusted.size > 0 ? resting.untrusted : resting.trusted);
    }
    if (hasTooMany(address)) closeSilentSoon(address);
    if (connections.has(socket)) resting.untrusted.add(connection);
  }

  return {
    watch(server) {
      server.on('connection', open);
      const listeners = server.listeners('request') as RequestListener[];
      // In their place: what is not to be served must not reach them.
      server.removeAllListeners('request').on('request', (request, response) => {
        const connection = connections.get(request.socket);
        // What a connection had sent before it was cut is still read to its end.
        if (connection === undefined) return;
        if (connection.requests === maxRequestsOfConnection) {
          raiseCut();
          forget(connection);
          connection.socket.destroy();
          return;
        }
        connection.requests += 1;
        restingLike(connection).delete(connection);
        response.once('close', () => {
          connection.requests -= 1;
          if (connection.requests === 0 && connections.has(connection.socket)) {
            restingLike(connection).add(connection);
          }
        });
        for (const listener of listeners) listener(request, response);
      });
    },
    trust({ raw: { socket }, caller }, reply) {
      const connection = connections.get(socket);
      if (connection?.isTrusted === false) {
        // It has a request under way, and rests nowhere.
        connection.isTrusted = true;
        countUntrusted(connection.address, -1);
      }
      reply.raw.once('close', requests.acquire(caller.teamId));
    },
  };
}

/** How many descriptors this process may have open; Node has raised the soft limit to the hard one. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? usualDescriptors : Number(soft);
  } catch {
    return usualDescriptors;
  }
}
