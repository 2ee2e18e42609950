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

/** One call to a model server. */
export interface ModelCall {
  /** Makes the call for the client library. Only the body of a good answer is handed on, as it is read. */
  fetch: typeof fetch;
  /** Whether the server may have got it: there was a connection, with a certificate that is trusted. */
  wasSent(): boolean;
  /**
   * What has come of the body since the last time, or comes next; undefined at its end.
   * @throws what the network says, and RangeError beyond the bounds.
   */
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
  let body: ResponseBody | undefined;
  const read = async () => body?.read();

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
          body = readBody(decoded(incoming), bounds);
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

/** Only the status of a refusal is used; its body may never end. */
function hasBody(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

/** A body that is read on only when it is asked for more. */
function streamOf(read: ModelCall['read']): ReadableStream<Buffer> {
  return new ReadableStream<Buffer>(
    {
      async pull(controller) {
        const pieces = await read();
        if (pieces === undefined) controller.close();
        else for (const piece of pieces) controller.enqueue(piece);
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

interface ResponseBody {
  read: ModelCall['read'];
  /** Lets the rest go by. */
  passOver(): void;
}

/** Reads a body piece by piece; while nobody asks it is not read on. */
function readBody(incoming: Readable, bounds: AnswerBounds | undefined): ResponseBody {
  const check = bounds === undefined ? () => undefined : boundsCheck(bounds);
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
    for (const piece of pieces) check(piece);
    if (pieces.length > 0) return pieces;
    if (failure !== undefined) throw failure;
    return undefined;
  }
  return { read, passOver: () => incoming.removeAllListeners('data').resume() };
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
