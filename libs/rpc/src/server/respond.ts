import { constants, type OutgoingHttpHeaders } from 'node:http2';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { CallStream } from './call-stream.ts';
import { resetStream } from './guard-connection.ts';

/** What becomes of an answer whose reader may not read. */
export interface AnswerOptions {
  /** A reader who takes nothing for so long is cut. */
  unreadTimeoutMs: number;
  /** Told of bytes that wait to be read. */
  onBytes(bytes: number): void;
}

/**
 * Writes the answer of a handler, as fast as its reader takes it, and ends the
 * call; what the caller still sends is not read.
 * @throws what the handler throws into its answer.
 */
export async function respond(
  stream: CallStream,
  { status, header, body, trailer }: UniversalServerResponse,
  options: AnswerOptions,
): Promise<void> {
  const messages = body?.[Symbol.asyncIterator]();
  let gone = false;
  try {
    // Headers follow the first message: until then a handler may add some.
    let next = await messages?.next();
    if (!isOpen(stream)) {
      gone = true;
      return;
    }
    if (trailer !== undefined) stream.once('wantTrailers', () => stream.sendTrailers(nodeHeaders(trailer)));
    const headers = { ...nodeHeaders(header), ':status': status };
    stream.respond(headers, { waitForTrailers: trailer !== undefined });
    for (; messages !== undefined && next?.done === false; next = await messages.next()) {
      if (!isOpen(stream)) {
        gone = true;
        return;
      }
      options.onBytes(next.value.length);
      if (!stream.write(next.value)) await drained(stream, options.unreadTimeoutMs);
    }
    endAnswer(stream, { unreadTimeoutMs: options.unreadTimeoutMs, hasTrailers: trailer !== undefined });
  } finally {
    if (gone) messages?.throw?.(new Error('the caller is gone')).catch(() => undefined);
    messages?.return?.().catch(() => undefined);
  }
}

/** Ends an answer, and resets its call where the last of it is not taken in time. */
export function endAnswer(
  stream: CallStream,
  { unreadTimeoutMs, hasTrailers }: { unreadTimeoutMs: number; hasTrailers: boolean },
): void {
  cutWhenUnread(stream, unreadTimeoutMs);
  stream.once(hasTrailers ? 'wantTrailers' : 'finish', () => {
    // Not at once: what was written last would be lost.
    setImmediate(() => {
      if (!stream.readableEnded) resetStream(stream, constants.NGHTTP2_NO_ERROR);
    });
  });
  stream.end();
}

/** Resets a call on which nothing moves for so long. Node counts each piece that the other side takes. */
export function cutWhenUnread(stream: CallStream, timeoutMs: number): void {
  stream.setTimeout(timeoutMs, () => resetStream(stream));
}

/** Ends that. */
export function stopWaiting(stream: CallStream): void {
  stream.removeAllListeners('timeout');
  if (!stream.destroyed) stream.setTimeout(0);
}

/** Waits until the reader took what was written, or is gone. */
function drained(stream: CallStream, unreadTimeoutMs: number): Promise<void> {
  cutWhenUnread(stream, unreadTimeoutMs);
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      stopWaiting(stream);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}

function isOpen(stream: CallStream): boolean {
  return !stream.destroyed && !stream.closed;
}

function nodeHeaders(headers: Headers = new Headers()): OutgoingHttpHeaders {
  return Object.fromEntries(headers);
}
