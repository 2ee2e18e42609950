import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Duplex, finished, pipeline, type Readable } from 'node:stream';
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
const [carriageReturn, newline] = [0x0d, 0x0a];
/**
 * Encodings that servers and proxies may use although they were asked not to. Node's `request` does not decode them.
 */
const decoders = new Map<string | undefined, () => Duplex>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** How much of an answer is read, decompressed. The library that parses it keeps whatever comes. */
interface AnswerBounds {
  maxBytes: number;
  /** Bytes of a line, for an answer that is parsed line by line. */
  maxLineBytes?: number;
}

/** Takes a piece of a body. While a promise that it returned is pending, the body is not read on. */
export type TakePiece = (piece: Buffer) => Promise<void> | undefined;

/** One call to a model server. */
export interface ModelCall {
  /** Makes the call for the client library. Only the body of a good answer is handed on, as it is read. */
  fetch: typeof fetch;
  /** Whether the server may have got it: there was a connection, with a certificate that is trusted. */
  wasSent(): boolean;
  /**
   * Hands on the body as it arrives, until its end. To be called once.
   * @throws what the network says, what `take` throws, and RangeError beyond the bounds.
   */
  read(take: TakePiece): Promise<void>;
  /** Breaks the call off. */
  end(): void;
  /** Lets a call end that has given all that is wanted; its connection may then serve another one. */
  finish(): void;
}

/**
 * Makes a call to a model server. It sends no header but those that are needed,
 * whatever the client library adds; follows no redirect, for the prompt is
 * meant for this address only; and ends with `signal`, the body included. Node's
 * own `fetch` is not used: it does not tell whether a call was sent, nor let go
 * of a connection that was idle for too long.
 */
export function createModelCall(options: {
  apiKey: string | undefined;
  /** Type of the answer that is wanted, and that a good one is taken for. */
  accept: string;
  bounds?: AnswerBounds;
  signal: AbortSignal;
  /** Limit for connecting, in milliseconds. */
  connectMs?: number;
}): ModelCall {
  const { apiKey, accept, bounds, signal, connectMs = connectTimeoutMs } = options;
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
  let body: Readable | undefined;
  const read = async (take: TakePiece) => body && readBody(body, bounds, take);

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
          // Whoever reads it is told of its failure as well.
          body = decoded(incoming).on('error', () => undefined);
          resolve(incoming);
        });
      });
      const status = response.statusCode ?? 0;
      const retryAfter = response.headers['retry-after'];
      const type = { 'content-type': accept };
      return new Response(hasBody(status) ? streamOf(read) : null, {
        status,
        headers: retryAfter === undefined ? type : { ...type, 'retry-after': retryAfter },
      });
    },
    wasSent: () => isSent,
    read,
    end: () => request?.destroy(),
    finish() {
      body?.removeAllListeners('data').resume();
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
  const timer = setTimeout(() => {
    // Made only here: its stack would keep the library's client as long as the answer is read.
    request.destroy(Object.assign(new Error('no connection in time'), { code: 'CONNECT_TIMEOUT' }));
  }, limitMs);
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

/** Only the status of a refusal is used; its body may never end. */
function hasBody(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

/** A body of which nothing is read before somebody asks for it; then it is read to its end, for it is bounded. */
function streamOf(read: ModelCall['read']): ReadableStream<Buffer> {
  return new ReadableStream<Buffer>(
    {
      async pull(controller) {
        await read((piece) => void controller.enqueue(piece));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The body as it was before it was compressed; an unknown coding is left for the reader to stumble over. */
function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoders.get(incoming.headers['content-encoding']?.toLowerCase())?.();
  // A failure of either ends both, and reaches whoever reads the body.
  return decoder === undefined ? incoming : pipeline(incoming, decoder, () => undefined);
}

/** Reads a body to its end, or until it fails, its bounds are exceeded, or `take` throws. */
function readBody(body: Readable, bounds: AnswerBounds | undefined, take: TakePiece): Promise<void> {
  const check = bounds === undefined ? () => undefined : boundsCheck(bounds);
  return new Promise((resolve, reject) => {
    finished(body, (error) => (error ? reject(error) : resolve()));
    const fail = (error: Error) => body.destroy(error);
    body.on('data', (piece: Buffer) => {
      try {
        check(piece);
        const behind = take(piece);
        if (behind === undefined) return;
        body.pause();
        behind.then(() => body.resume(), fail);
      } catch (error) {
        fail(error as Error);
      }
    });
  });
}

/** @throws RangeError, when called with the piece of a body that goes beyond the bounds. */
function boundsCheck({ maxBytes, maxLineBytes = maxBytes }: AnswerBounds): (piece: Buffer) => void {
  let bytes = 0;
  let lineBytes = 0;
  return (piece) => {
    bytes += piece.length;
    const lineEnd = Math.max(piece.lastIndexOf(newline), piece.lastIndexOf(carriageReturn));
    lineBytes = lineEnd < 0 ? lineBytes + piece.length : piece.length - lineEnd - 1;
    if (bytes > maxBytes || lineBytes > maxLineBytes) throw new RangeError('the answer is too long');
  };
}
