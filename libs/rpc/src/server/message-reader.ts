import type { DescMethod } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import { compressedFlag } from '@connectrpc/connect/protocol';
import { AppError } from '@teammemory/errors/app-error.ts';
import { connectErrorFrom } from '../error-translation.ts';
import { limitsOf } from '../method-limits.ts';
import { smallestPieceBytes } from './call.ts';
import { binaryShapeFault, jsonShapeFault } from './message-shape.ts';

/** A byte of flags and the length in four bytes. */
const envelopeBytes = 5;

/**
 * Passes the messages of a call on, each in one piece, once its bytes were held against the limits of the method;
 * nothing is decoded here. A message that says in its envelope that it is too long is refused before any of it is read.
 * @throws ConnectError `resource_exhausted` or `invalid_argument`.
 */
export async function* readMessages(
  chunks: AsyncIterable<Uint8Array>,
  method: DescMethod,
  contentType: string,
): AsyncGenerator<Uint8Array, void> {
  const { maxRequestBytes } = limitsOf(method);
  // Of one message, as in unary calls of Connect, or with flags and length before each.
  const isEnveloped = /^application\/(connect\+|grpc)/i.test(contentType);
  const isBinary = !/json/i.test(contentType);
  let pieces: Uint8Array[] = [];
  let [bytes, charged] = [0, 0];
  let length: number | undefined;
  /** Bytes of the message that is read, as far as they are known. */
  const needed = () => envelopeBytes + (length ?? 0);

  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    charged += Math.max(chunk.length, smallestPieceBytes);
    while (isEnveloped && bytes >= needed()) {
      const whole = joined(pieces);
      if (length === undefined) {
        length = whole.readUInt32BE(1);
        if (length > maxRequestBytes) throw tooLarge(method);
        pieces = [whole];
        continue;
      }
      const message = whole.subarray(envelopeBytes, needed());
      // Refused where it is decoded: nothing is compressed here.
      const isCompressed = ((whole[0] ?? 0) & compressedFlag) !== 0;
      if (!isCompressed) checkShape(message, method, isBinary);
      yield whole.subarray(0, needed());
      pieces = [whole.subarray(needed())];
      bytes -= needed();
      charged = bytes;
      length = undefined;
    }
    if (charged > maxRequestBytes + (isEnveloped ? envelopeBytes : 0)) throw tooLarge(method);
  }
  if (bytes === 0) return;
  const rest = joined(pieces);
  if (!isEnveloped) checkShape(rest, method, isBinary);
  yield rest;
}

/** The error for a message that is too long for its method. */
export function tooLarge(method: DescMethod): ConnectError {
  const { maxRequestBytes } = limitsOf(method);
  const message = `A request of ${method.name} has at most ${maxRequestBytes} bytes.`;
  return connectErrorFrom(new AppError('payload_too_large', message));
}

function checkShape(bytes: Uint8Array, method: DescMethod, isBinary: boolean): void {
  const { maxElements } = limitsOf(method);
  const fault = isBinary
    ? binaryShapeFault(method.input, bytes, maxElements)
    : jsonShapeFault(bytes, maxElements);
  if (fault === undefined) return;
  if (fault === 'too_many_elements') {
    const message = `A request of ${method.name} has at most ${maxElements} values.`;
    throw connectErrorFrom(new AppError('payload_too_large', message));
  }
  const message =
    fault === 'malformed'
      ? 'The request is not a message of this method.'
      : 'The request has too many messages within messages.';
  throw connectErrorFrom(new AppError('invalid_request', message));
}

/** Most messages come in one piece. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const [first] = pieces;
  if (first === undefined || pieces.length > 1) return Buffer.concat(pieces);
  return Buffer.from(first.buffer, first.byteOffset, first.length);
}
