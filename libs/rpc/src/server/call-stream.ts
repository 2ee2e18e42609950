import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { Duplex } from 'node:stream';

/** What a listener needs of a call: a stream of HTTP/2 has it, and `Http1Call` gives it to HTTP/1.1. */
export interface CallStream extends Duplex {
  /** The connection: one object for all calls on it. */
  readonly session: object | undefined;
  readonly headersSent: boolean;
  /** Why the call ended, as a code of HTTP/2. */
  readonly rstCode: number | undefined;
  /** Sends status 100. */
  additionalHeaders(headers: OutgoingHttpHeaders): void;
  respond(headers?: OutgoingHttpHeaders, options?: { endStream?: boolean; waitForTrailers?: boolean }): void;
  sendTrailers(headers: OutgoingHttpHeaders): void;
  /** Ends the call with a code of HTTP/2. */
  close(code?: number): void;
  /** Emits `timeout` when nothing moves for so long. */
  setTimeout(milliseconds: number, callback?: () => void): void;
}

/** Takes a call as it arrives: flags are those of the frame that brought the headers. */
export type OnStream = (stream: CallStream, headers: IncomingHttpHeaders, flags: number) => void;

/** Who sends a message that was refused gets so long to end it; after that the connection is cut. */
const refusedMessageMs = 2_000;
/** Headers of one connection that the next must not be told (RFC 9110, section 7.6.1). */
const connectionHeaders = [
  ...['connection', 'host', 'http2-settings', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

/**
 * One request over HTTP/1.1 as a stream of HTTP/2, so that the same code answers both. It reads only when it
 * is asked to, and it is closed when its answer was written, or its connection is gone. HTTP/1.1 cannot end a
 * call by itself: one that is cut takes its connection with it.
 */
export class Http1Call extends Duplex implements CallStream {
  readonly session: object;
  rstCode: number = constants.NGHTTP2_NO_ERROR;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #waitsForContinue: boolean;
  #wantsTrailers = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { waitsForContinue }: { waitsForContinue: boolean },
  ) {
    super();
    this.session = request.socket;
    this.#request = request;
    this.#response = response;
    this.#waitsForContinue = waitsForContinue;
    request
      .on('data', (chunk: Buffer) => {
        if (!this.push(chunk)) request.pause();
      })
      .once('end', () => this.push(null))
      // Told by the response as well.
      .on('error', () => undefined)
      .pause();
    response
      .on('timeout', () => this.emit('timeout'))
      .on('error', () => undefined)
      .once('close', () => {
        if (response.writableFinished) return;
        this.rstCode ||= constants.NGHTTP2_CANCEL;
        this.destroy();
      });
  }

  get headersSent(): boolean {
    return this.#response.headersSent;
  }

  additionalHeaders(): void {
    this.#waitsForContinue = false;
    this.#response.writeContinue();
  }

  respond(headers: OutgoingHttpHeaders = {}, options: Parameters<CallStream['respond']>[1] = {}): void {
    const { ':status': status = 200, ...others } = headers;
    // Whether its message still comes is open then.
    if (this.#waitsForContinue) this.#response.shouldKeepAlive = false;
    this.#wantsTrailers = options.waitForTrailers === true;
    this.#response.writeHead(Number(status), others);
    if (options.endStream === true) this.end();
  }

  sendTrailers(): void {
    // Connect and gRPC-Web have none.
  }

  close(code: number = constants.NGHTTP2_NO_ERROR): void {
    this.rstCode = code;
  }

  setTimeout(milliseconds: number, callback?: () => void): void {
    if (callback !== undefined) this.once('timeout', callback);
    this.#request.socket.setTimeout(milliseconds);
  }

  override _read(): void {
    this.#request.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, callback: () => void): void {
    const response = this.#response;
    if (response.write(chunk) || response.destroyed) {
      callback();
      return;
    }
    const done = () => {
      response.off('drain', done).off('close', done);
      callback();
    };
    response.on('drain', done).on('close', done);
  }

  override _final(callback: () => void): void {
    if (this.#wantsTrailers) this.emit('wantTrailers');
    if (this.#response.destroyed) callback();
    else this.#response.end(() => callback());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const request = this.#request;
    if (!this.#response.writableFinished) request.socket.destroy();
    else {
      request.socket.setTimeout(0);
      request.removeAllListeners('data').resume();
      if (!request.complete) {
        const timer = setTimeout(() => request.socket.destroy(), refusedMessageMs);
        request.once('close', () => clearTimeout(timer));
      }
    }
    callback(error);
  }
}

/** Returns the headers of a request over HTTP/1.1 as HTTP/2 has them, and the flags of the frame they would come in. */
export function http2HeadersOf({ method, url, headers }: IncomingMessage): {
  headers: IncomingHttpHeaders;
  flags: number;
} {
  const { host, 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  const isWhole = encoding === undefined && Number(length) === 0;
  const known: IncomingHttpHeaders = { ...headers, ':method': method, ':path': url, ':scheme': 'http' };
  if (host !== undefined) known[':authority'] = host;
  for (const name of connectionHeaders) delete known[name];
  return { headers: known, flags: isWhole ? constants.NGHTTP2_FLAG_END_STREAM : 0 };
}
