import { on, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Readable } from 'node:stream';
import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { Connection } from './connection.ts';

/** Who sends a message that nobody reads any more gets so long to end it. */
const unreadMessageMs = 2_000;
/** An answer of which its reader takes nothing for so long is cut. Node counts each piece that is taken. */
const unreadMs = 30_000;
/** What a piece of a message counts at least: each costs time and memory, however few its bytes. */
export const smallestPieceBytes = 64;
/** Why a call is over. Made once: each takes a stack trace. */
const callIsOver = new ConnectError('the call is over', Code.Canceled);
const callerIsGone = new ConnectError('the caller ended the call', Code.Canceled);

/** One call over HTTP/2 or HTTP/1.1: its request, and its answer as it is written. */
export class Call {
  /** Of HTTP/2 as well, where Node gives it the same interface. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** Undefined for HTTP/1.1. */
  readonly stream: ServerHttp2Stream | undefined;
  /** Aborts when it was answered, cut, or left by its caller. */
  readonly over: AbortSignal;

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
    const over = new AbortController();
    this.over = over.signal;
    response.once('close', () => {
      over.abort(response.writableEnded ? callIsOver : callerIsGone);
      if (this.stream === undefined) request.socket.setTimeout(0);
      connection.end();
    });
    // Told by `close` as well.
    for (const each of [request, response, this.stream]) each?.on('error', () => undefined);
    (this.stream ?? response).on('timeout', () => {
      // A handler may take its time; a reader may not.
      if (response.writableLength > 0 || response.writableEnded) this.cut();
    });
    (this.stream ?? request.socket).setTimeout(unreadMs);
  }

  get isOver(): boolean {
    return this.over.aborted;
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
   * Over HTTP/1.1, which has no windows, reading pauses behind `most` bytes: more will be refused, and its sender must
   * hear that before it is cut.
   */
  readAtOnce(most: number): AsyncIterable<Uint8Array> {
    const { body, connection } = this;
    let held = 0;
    body.on('data', (chunk: Uint8Array) => {
      // What comes behind the answer is thrown away.
      if (this.isOver) return;
      const bytes = Math.max(chunk.length, smallestPieceBytes);
      held += bytes;
      connection.hold(bytes);
      if (this.stream === undefined && held > most) body.pause();
    });
    const pieces = on(body, 'data', { close: ['end', 'close'] });
    this.response.once('close', () => {
      connection.hold(-held);
      void pieces.return?.();
      body.resume();
    });
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

  /** Ends the answer; what the caller still sends is not read. */
  end(): void {
    if (this.isOver) return;
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
   * @throws what the handler throws into its answer, or an AbortError when the reader has gone away.
   */
  async answer({ status, header, body, trailer }: UniversalServerResponse): Promise<void> {
    const { response, over } = this;
    const messages = body?.[Symbol.asyncIterator]();
    try {
      // Headers follow the first message: until then a handler may add some.
      let next = await messages?.next();
      if (this.isOver) return;
      response.writeHead(status, nodeHeaders(header));
      for (; next?.done === false && !this.isOver; next = await messages?.next()) {
        if (!response.write(next.value)) await once(response, 'drain', { signal: over });
      }
      if (trailer !== undefined && !this.isOver) response.addTrailers(nodeHeaders(trailer));
      this.end();
    } finally {
      if (this.isOver) messages?.throw?.(callerIsGone).catch(() => undefined);
      messages?.return?.().catch(() => undefined);
    }
  }
}

function nodeHeaders(headers: Headers = new Headers()): OutgoingHttpHeaders & Record<string, string> {
  return Object.fromEntries(headers);
}
