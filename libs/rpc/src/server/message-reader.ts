import type { DescMethod } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import type { ConnectError } from '@connectrpc/connect';
import { compressedFlag } from '@connectrpc/connect/protocol';
import { AppError } from '@teammemory/errors/app-error.ts';
import { connectErrorFrom } from '../error-translation.ts';
import { limitsOf } from '../method-limits.ts';
import type { CallCharge, RefusalReason } from './call-budgets.ts';
import type { CallStream } from './call-stream.ts';
import { binaryShapeFault, jsonShapeFault, type ShapeFault } from './message-shape.ts';

/** The envelope and encoding of a message. */
export interface MessageForm {
  /** Whether flags and a length stand before each message, as in gRPC and in streams of Connect. */
  isEnveloped: boolean;
  isBinary: boolean;
}

/** What a chunk counts at least: each costs time, however few its bytes, and clients send hundreds or thousands in one. */
const smallestChargeBytes = 64;

/** A byte of flags and the length in four bytes. */
const envelopeBytes = 5;

/** The form that a content type says; undefined for a type that no protocol of ours has. */
export function messageFormOf(contentType = ''): MessageForm | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const unary = /^application\/(json|proto)$/.exec(type);
  if (unary !== null) return { isEnveloped: false, isBinary: unary[1] === 'proto' };
  const enveloped = /^application\/(?:connect|grpc|grpc-web)(?:\+(json|proto))?$/.exec(type);
  return enveloped === null ? undefined : { isEnveloped: true, isBinary: enveloped[1] !== 'json' };
}

/** What messages of a call are checked with. */
export interface MessageCheck {
  method: DescMethod;
  form: MessageForm;
  charge: CallCharge;
}

/**
 * Passes the messages of a call on, each in one piece, once its bytes were held
 * against the limits of the method; nothing is decoded here. A message that says
 * in its envelope that it is too long is refused before any of it is read.
 * @throws ConnectError `resource_exhausted` or `invalid_argument`.
 */
export async function* readMessages(
  chunks: AsyncIterable<Uint8Array>,
  check: MessageCheck,
): AsyncGenerator<Uint8Array, void> {
  const { isEnveloped } = check.form;
  const { maxRequestBytes } = limitsOf(check.method);
  const pending = createPending();
  for await (const chunk of chunks) {
    check.charge.hold(Math.max(chunk.length, smallestChargeBytes));
    pending.add(chunk);
    if (!isEnveloped) {
      if (pending.bytes() > maxRequestBytes) throw tooLarge(check);
      continue;
    }
    while (pending.bytes() >= envelopeBytes) {
      const length = pending.lengthInEnvelope();
      if (length > maxRequestBytes) throw tooLarge(check);
      if (pending.bytes() < envelopeBytes + length) break;
      const head = pending.take(envelopeBytes);
      const message = pending.take(length);
      // Refused where it is decoded: nothing is compressed here.
      const isCompressed = ((head[0] ?? 0) & compressedFlag) !== 0;
      if (!isCompressed) checkShape(message, check);
      yield head;
      if (length > 0) yield message;
    }
  }
  if (pending.bytes() === 0) return;
  const rest = pending.take(pending.bytes());
  if (!isEnveloped) checkShape(rest, check);
  yield rest;
}

/** Checks the message that a GET of Connect has in its URL. @throws ConnectError as `readMessages`. */
export function checkQuery(query: URLSearchParams, check: MessageCheck): void {
  const text = query.get('message') ?? '';
  let bytes: Uint8Array;
  try {
    bytes = query.get('base64') === '1' ? base64Decode(text) : Buffer.from(text);
  } catch {
    // Told by the decoder, which reads no more of it either.
    return;
  }
  if (bytes.length > limitsOf(check.method).maxRequestBytes) throw tooLarge(check);
  checkShape(bytes, { ...check, form: { isEnveloped: false, isBinary: query.get('encoding') === 'proto' } });
}

/** The error for a message that is too long for its method; it is charged to who sent it. */
export function tooLarge(check: Pick<MessageCheck, 'method' | 'charge'>): ConnectError {
  const { maxRequestBytes } = limitsOf(check.method);
  const message = `A request of ${check.method.name} has at most ${maxRequestBytes} bytes.`;
  return refusal(check, 'too_large', new AppError('payload_too_large', message));
}

function checkShape(bytes: Uint8Array, check: MessageCheck): void {
  const { method, form } = check;
  const { maxElements } = limitsOf(method);
  const fault = form.isBinary
    ? binaryShapeFault(method.input, bytes, maxElements)
    : jsonShapeFault(bytes, maxElements);
  if (fault !== undefined) throw shapeRefusal(fault, maxElements, check);
}

function shapeRefusal(fault: ShapeFault, maxElements: number, check: MessageCheck): ConnectError {
  if (fault === 'too_many_elements') {
    const message = `A request of ${check.method.name} has at most ${maxElements} values.`;
    return refusal(check, fault, new AppError('payload_too_large', message));
  }
  const message =
    fault === 'malformed'
      ? 'The request is not a message of this method.'
      : 'The request has too many messages within messages.';
  return refusal(check, 'invalid', new AppError('invalid_request', message));
}

function refusal(
  { charge }: Pick<MessageCheck, 'charge'>,
  reason: RefusalReason,
  error: AppError,
): ConnectError {
  charge.refused(reason);
  return connectErrorFrom(error);
}

/**
 * Keeps bytes until a message is whole, in one piece of at most twice their size: chunks may be of one byte, and a list
 * of those would take a hundred times as much.
 */
function createPending() {
  let piece: Buffer = Buffer.alloc(0);
  let [start, end] = [0, 0];

  /** Not in place: messages that were taken are parts of the piece. */
  function grow(needed: number): void {
    const next = Buffer.allocUnsafeSlow(2 * needed);
    piece.copy(next, 0, start, end);
    [piece, start, end] = [next, 0, end - start];
  }

  return {
    bytes: () => end - start,
    add(chunk: Uint8Array): void {
      if (start === end) {
        // Most messages come in one chunk.
        piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
        [start, end] = [0, chunk.length];
        return;
      }
      if (end + chunk.length > piece.length) grow(end - start + chunk.length);
      piece.set(chunk, end);
      end += chunk.length;
    },
    /** The length that stands in the envelope at the front. */
    lengthInEnvelope: () => piece.readUInt32BE(start + 1),
    take(bytes: number): Uint8Array {
      start += bytes;
      return piece.subarray(start - bytes, start);
    },
  };
}

/**
 * Reads a stream as it arrives, whether anybody asks for it or not, so that what
 * a stranger sends is counted at once: `hold` is told what each piece counts.
 */
export function readEagerly(stream: CallStream, hold: (bytes: number) => void): AsyncIterable<Uint8Array> {
  const queue: Uint8Array[] = [];
  let isOver = false;
  let waiting: (() => void) | undefined;
  const wake = () => {
    waiting?.();
    waiting = undefined;
  };
  stream.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    hold(Math.max(chunk.length, smallestChargeBytes));
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  // Without a message the end may have been told before.
  if (stream.readableEnded) end();
  stream.once('end', end).once('close', end);
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const chunk = queue.shift();
        if (chunk !== undefined) yield chunk;
        else if (isOver) return;
        else
          await new Promise<void>((resolve) => {
            waiting = resolve;
          });
      }
    },
  };
}
