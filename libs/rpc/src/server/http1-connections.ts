import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Http1Call, http2HeadersOf, type OnStream } from './call-stream.ts';
import { type Connection, countCall, guardHttp1Connection } from './guard-connection.ts';
import type { Peer, PeerRegistry } from './peer-registry.ts';

/** Bytes of a request's line and headers; HTTP/2 has a bound of the same order. */
const maxHeaderBytes = 16 * 1024;
/** A client that waits for each answer has one call; the next may come before we hear that the last answer was taken. */
const maxCallsAtOnce = 2;
/** What a connection of HTTP/2 begins with; no request of HTTP/1.1 does. */
const http2Preface = Buffer.from('PRI');

/** The connections of a listener that speak HTTP/1.1. */
export interface Http1Connections {
  /** Answers the calls of a connection. */
  accept(socket: Socket, peer: Peer): void;
  /** From now on every answer is the last of its connection. */
  startClosing(): void;
  /** Ends connections without a call; the others end with their call. */
  closeIdle(): void;
}

/**
 * Answers calls over HTTP/1.1 with the code, and within the bounds, of those over HTTP/2: Connect and gRPC-Web. A
 * connection has one call at a time, and is ended when it is without one for `idleTimeoutMs`, also if headers arrive
 * slowly. gRPC needs HTTP/2 and is told so.
 */
export function createHttp1Connections({
  registry,
  idleTimeoutMs,
  peersAreParts,
  onStream,
}: {
  registry: PeerRegistry;
  idleTimeoutMs: number;
  /** Whether everybody who gets in has shown a certificate of a part. */
  peersAreParts: boolean;
  onStream: OnStream;
}): Http1Connections {
  const open = new Map<Socket, { connection: Connection; idle: NodeJS.Timeout | undefined }>();
  let isClosing = false;
  // Never listens. Its own time-outs need that; those of the calls and of `idle` stand in for them.
  const server = createServer({ maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 0 });
  server.on('request', (request, response) => begin(request, response, false));
  server.on('checkContinue', (request, response) => begin(request, response, true));

  function begin(request: IncomingMessage, response: ServerResponse, waitsForContinue: boolean): void {
    const { socket } = request;
    const known = open.get(socket);
    if (known === undefined || known.connection.peer.calls >= maxCallsAtOnce) {
      socket.destroy();
      return;
    }
    const { connection } = known;
    clearTimeout(known.idle);
    if (isClosing) response.shouldKeepAlive = false;
    if (peersAreParts) connection.raise('part');
    const call = new Http1Call(request, response, { waitsForContinue });
    call.on('error', () => undefined);
    countCall(call, connection, registry);
    call.once('close', () => {
      if (connection.peer.calls > 0 || socket.destroyed) return;
      if (isClosing) socket.end();
      else known.idle = endWhenIdle(socket);
    });
    if (/^application\/grpc(?!-web)/i.test(request.headers['content-type'] ?? '')) refuseGrpc(call);
    else {
      const { headers, flags } = http2HeadersOf(request);
      onStream(call, headers, flags);
    }
  }

  const endWhenIdle = (socket: Socket) => setTimeout(() => socket.destroy(), idleTimeoutMs);

  return {
    accept(socket, peer) {
      const known = { connection: guardHttp1Connection(socket, peer, registry), idle: endWhenIdle(socket) };
      open.set(socket, known);
      socket.once('close', () => {
        clearTimeout(known.idle);
        open.delete(socket);
      });
      server.emit('connection', socket);
      // What was read to find out the protocol waits.
      socket.resume();
    },
    startClosing() {
      isClosing = true;
    },
    closeIdle() {
      for (const [socket, { connection }] of open) {
        if (connection.peer.calls === 0) socket.end();
      }
    },
  };
}

function refuseGrpc(call: Http1Call): void {
  const message = 'gRPC needs HTTP/2. Over HTTP/1.1 call with Connect or gRPC-Web.';
  call.respond({ ':status': 505, 'content-type': 'application/json', connection: 'close' });
  call.end(JSON.stringify({ code: 'unimplemented', message }));
  call.resume();
}

/** Calls `decide` once the first bytes of a connection tell its protocol; they stay to be read. */
export function tellProtocol(socket: Socket, decide: (protocol: 'http1' | 'http2') => void): void {
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
