import { on } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Readable } from 'node:stream';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { Connection } from './connection.ts';

/** Who sends a message that nobody reads any more gets so long to end it. */
const unreadMessageMs = 2_000;
/** What a piece of a message counts at least: each costs time and memory, however few its bytes. */
export const smallestPieceBytes = 64;

/** One call over HTTP/2 or HTTP/1.1: its request, and its answer as it is written. */
export class Call {
  /** Of HTTP/2 as well, where Node gives it the same interface. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** Undefined for HTTP/1.1. */
  readonly stream: ServerHttp2Stream | undefined;
  /** Whether it was answered, cut, or left by its caller. */
  isOver = false;

  constructor(
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
    connection: Connection,
  ) {
    this.request = request as IncomingMessage;
    this.response = response as ServerResponse;
    this.stream = 'stream' in request ? request.stream : undefined;
    this.connection = connection;
    connection.begin();
    response.once('close', () => {
      this.isOver = true;
      if (this.stream === undefined) request.socket.setTimeout(0);
      connection.end();
    });
    // Told by `close` as well.
    for (const each of [request, response, this.stream]) each?.on('error', () => undefined);
    (this.stream ?? response).on('timeout', () => this.cut());
  }

  /** The path of the method. */
  get path(): string {
    return (this.request.url ?? '').split('?', 1)[0] ?? '';
  }

  /** Whether no message follows the headers. */
  get hasNoMessage(): boolean {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = this.request.headers;
    return this.stream?.endAfterHeaders ?? (encoding === undefined && Number(length) === 0);
  }

  /** Asks for the message, where the other side waits for this word. */
  askForMessage(): void {
    if (this.request.headers.expect !== undefined && !this.isOver) this.response.writeContinue();
  }

  /** Ends the call at once. HTTP/1.1 cannot end one by itself: its connection goes with it. */
  cut(): void {
    if (this.stream === undefined) this.request.socket.destroy();
    else this.#stop(constants.NGHTTP2_CANCEL);
  }

  /** The message as it arrives. */
  get body(): Readable {
    return this.stream ?? this.request;
  }

  /** Reads the message as somebody asks for it. @throws the error of a message that its sender did not end. */
  read(): AsyncIterable<Uint8Array> {
    return this.body.iterator({ destroyOnReturn: false });
  }

  /**
   * Reads the message of a stranger from now on, whether anybody asks for it or not, so that it is counted as it
   * arrives: a connection whose calls hold too much is cut. A piece counts 64 bytes at least, because each takes time.
   */
  readAtOnce(): AsyncIterable<Uint8Array> {
    const { body, connection } = this;
    let held = 0;
    body.on('data', (chunk: Uint8Array) => {
      const bytes = Math.max(chunk.length, smallestPieceBytes);
      held += bytes;
      connection.hold(bytes);
    });
    this.response.once('close', () => connection.hold(-held));
    const pieces = on(body, 'data', { close: ['end', 'close'] });
    return (async function* () {
      for await (const [chunk] of pieces) yield chunk as Uint8Array;
    })();
  }

  #stop(code: number): void {
    const { stream } = this;
    if (stream === undefined || stream.destroyed) return;
    stream.close(code);
    // What arrived and was not read would keep it for ever. Not at once: the frame would not be sent.
    setImmediate(() => stream.destroy());
  }

  /** Cuts the call if its reader takes nothing for so long; 0 ends that. Node counts each piece that is taken. */
  cutWhenUnread(timeoutMs: number): void {
    if (!this.isOver) (this.stream ?? this.request.socket).setTimeout(timeoutMs);
  }

  /** Ends the answer; what the caller still sends is not read. */
  end(unreadTimeoutMs: number): void {
    if (this.isOver) return;
    this.cutWhenUnread(unreadTimeoutMs);
    const { request, response, stream, body } = this;
    // Not at once: what was written last would be lost.
    const tell = () => setImmediate(() => body.readableEnded || this.#stop(constants.NGHTTP2_NO_ERROR));
    stream?.once('wantTrailers', tell);
    response.end();
    if (body.readableEnded || (stream === undefined && request.complete)) return;
    const timer = setTimeout(() => this.cut(), unreadMessageMs);
    body.once('close', () => clearTimeout(timer));
  }

  /**
   * Writes the answer of a handler, as fast as its reader takes it.
   * @throws what the handler throws into its answer.
   */
  async answer(
    { status, header, body, trailer }: UniversalServerResponse,
    unreadTimeoutMs: number,
  ): Promise<void> {
    const messages = body?.[Symbol.asyncIterator]();
    try {
      // Headers follow the first message: until then a handler may add some.
      let next = await messages?.next();
      if (this.isOver) return;
      this.response.writeHead(status, nodeHeaders(header));
      for (; next?.done === false && !this.isOver; next = await messages?.next()) {
        if (!this.response.write(next.value)) await this.#drained(unreadTimeoutMs);
      }
      if (trailer !== undefined && !this.isOver) this.response.addTrailers(nodeHeaders(trailer));
      this.end(unreadTimeoutMs);
    } finally {
      if (this.isOver) messages?.throw?.(new Error('the caller is gone')).catch(() => undefined);
      messages?.return?.().catch(() => undefined);
    }
  }

  /** Resolves once the reader has taken what was written, or has gone away. */
  #drained(unreadTimeoutMs: number): Promise<void> {
    this.cutWhenUnread(unreadTimeoutMs);
    const { response } = this;
    return new Promise((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        this.cutWhenUnread(0);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
  }
}

function nodeHeaders(headers: Headers = new Headers()): OutgoingHttpHeaders & Record<string, string> {
  return Object.fromEntries(headers);
}
