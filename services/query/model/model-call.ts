import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** A server that does not take a connection by then is down, or far too busy to write. */
const connectTimeoutMs = 10_000;
/** A server that has said its last ends the body within a round trip. */
const endOfBodyMs = 1_000;
/**
 * How long a connection waits for another call. Servers keep theirs for 5 seconds and more: a question sent on one that
 * the server is just closing would be lost, and nobody could tell whether it was paid for.
 */
const idle = { keepAlive: true, timeout: 2_000 };
const httpConnections = new HttpAgent(idle);
const httpsConnections = new HttpsAgent(idle);
/** What servers, and proxies before them, compress with though they were asked not to. */
const decoders = new Map<string | undefined, () => Duplex>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** One call to a model server. */
export interface ModelCall {
  /** Makes the call for the client library. Of the answer it gets the status and the headers; the body is for `read`. */
  fetch: typeof fetch;
  /** Whether the server may have got it: there was a connection, with a certificate that is trusted. */
  wasSent(): boolean;
  /** What has come of the body since the last time, or comes next; undefined at its end. @throws what the network says. */
  read(): Promise<readonly Buffer[] | undefined>;
  /** Breaks the call off. */
  end(): void;
  /** Lets a call end that has given all that is wanted; its connection may then serve another one. */
  finish(): void;
}

/**
 * Makes a call to a model server. It sends no header but those that are needed,
 * whatever the client library adds; follows no redirect, for the prompt is
 * meant for this address only; and ends with `signal`, the body included. Node's
 * own `fetch` is not used: its web streams cost more for each piece of an
 * answer than all that is done with the piece.
 */
export function createModelCall(options: {
  apiKey: string | undefined;
  /** Type of the answer that is wanted. */
  accept: string;
  signal: AbortSignal;
  /** Limit for connecting, in milliseconds. */
  connectMs?: number;
}): ModelCall {
  const { apiKey, accept, signal, connectMs = connectTimeoutMs } = options;
  const headers = {
    accept,
    // Without it a server is free to compress.
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': 'node',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  let request: ClientRequest | undefined;
  let isSent = false;
  let body: ResponseBody | undefined;
  return {
    async fetch(url, { method = 'GET', body: sent } = {}) {
      const { protocol } = new URL(String(url));
      const isSecure = protocol === 'https:';
      const agent = isSecure ? httpsConnections : httpConnections;
      request = (isSecure ? httpsRequest : httpRequest)(String(url), { method, headers, signal, agent });
      const connected = isSecure ? 'secureConnect' : 'connect';
      limitConnecting(request, connected, connectMs, () => {
        isSent = true;
      });
      request.end(sent);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request?.on('error', reject).once('close', () => reject(new Error('the connection was closed')));
        request?.once('response', (incoming) => {
          body = readBody(decoded(incoming));
          resolve(incoming);
        });
      });
      const retryAfter = response.headers['retry-after'];
      return new Response(null, {
        status: response.statusCode ?? 0,
        ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
      });
    },
    wasSent: () => isSent,
    read: async () => body?.read(),
    end: () => request?.destroy(),
    finish() {
      body?.passOver();
      const broken = setTimeout(() => request?.destroy(), endOfBodyMs).unref();
      request?.once('close', () => clearTimeout(broken));
    },
  };
}

/** Ends a call that has no connection in time, and tells of one that has. */
function limitConnecting(
  request: ClientRequest,
  connectedEvent: 'connect' | 'secureConnect',
  limitMs: number,
  connected: () => void,
): void {
  const late = Object.assign(new Error('no connection in time'), { code: 'CONNECT_TIMEOUT' });
  const timer = setTimeout(() => request.destroy(late), limitMs);
  const over = () => clearTimeout(timer);
  const ready = () => {
    over();
    connected();
  };
  request.once('close', over).once('socket', (socket) => {
    // One that served another call is connected already.
    if (request.reusedSocket) ready();
    else socket.once(connectedEvent, ready);
  });
}

/** The body as it was before it was compressed; an unknown coding is left for the reader to stumble over. */
function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoders.get(incoming.headers['content-encoding']?.toLowerCase())?.();
  // A failure of either ends both, and reaches whoever reads the body.
  return decoder === undefined ? incoming : pipeline(incoming, decoder, () => undefined);
}

interface ResponseBody {
  read: ModelCall['read'];
  /** Lets the rest go by. */
  passOver(): void;
}

/** Reads a body piece by piece; while nobody asks it is not read on. */
function readBody(incoming: Readable): ResponseBody {
  let arrived: Buffer[] = [];
  let failure: Error | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  incoming.on('data', (bytes: Buffer) => {
    arrived.push(bytes);
    if (wake === undefined) incoming.pause();
    else wake();
  });
  const over = () => {
    isOver = true;
    wake?.();
  };
  incoming.once('end', over).once('close', over);
  incoming.on('error', (error) => {
    failure = error;
  });
  async function read() {
    if (arrived.length === 0 && !isOver) {
      incoming.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
    const pieces = arrived;
    arrived = [];
    if (pieces.length > 0) return pieces;
    if (failure !== undefined) throw failure;
    return undefined;
  }
  return { read, passOver: () => incoming.removeAllListeners('data').resume() };
}
