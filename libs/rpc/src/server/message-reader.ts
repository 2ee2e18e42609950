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

/** Returns the most bytes of a call with one message. */
export function mostBytesOf(method: DescMethod): number {
  return limitsOf(method).maxRequestBytes + envelopeBytes;
}

/**
 * Reads the one message of a call and holds its bytes against the limits of the method; nothing is decoded here.
 * @throws ConnectError `resource_exhausted` or `invalid_argument`.
 */
export async function readMessage(
  chunks: AsyncIterable<Uint8Array>,
  method: DescMethod,
  contentType: string,
): Promise<Uint8Array> {
  const most = mostBytesOf(method);
  const pieces: Uint8Array[] = [];
  let charged = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    charged += Math.max(chunk.length, smallestPieceBytes);
    if (charged > most) throw tooLarge(method);
  }
  const whole = Buffer.concat(pieces);
  const isBinary = !/json/i.test(contentType);
  // Of the message alone, as in unary calls of Connect, or with flags and length before it.
  if (!/^application\/(connect\+|grpc)/i.test(contentType)) checkShape(whole, method, isBinary);
  else if (whole.length >= envelopeBytes) {
    // Refused where it is decoded: nothing is compressed here.
    const isCompressed = (whole.readUInt8(0) & compressedFlag) !== 0;
    if (!isCompressed) checkShape(whole.subarray(envelopeBytes), method, isBinary);
    if (whole.readUInt32BE(1) !== whole.length - envelopeBytes) throw malformed();
  }
  return whole;
}

function checkShape(bytes: Uint8Array, method: DescMethod, isBinary: boolean): void {
  const { maxElements } = limitsOf(method);
  const fault = isBinary
    ? binaryShapeFault(method.input, bytes, maxElements)
    : jsonShapeFault(bytes, maxElements);
  if (fault === 'too_many_elements')
    throw refusal('payload_too_large', `A request of ${method.name} has at most ${maxElements} values.`);
  if (fault === 'too_deep')
    throw refusal('invalid_request', 'The request has too many messages within messages.');
  if (fault === 'malformed') throw malformed();
}

function tooLarge(method: DescMethod): ConnectError {
  const { maxRequestBytes } = limitsOf(method);
  return refusal('payload_too_large', `A request of ${method.name} has at most ${maxRequestBytes} bytes.`);
}

function malformed(): ConnectError {
  return refusal('invalid_request', 'The request is not a message of this method.');
}

function refusal(code: 'payload_too_large' | 'invalid_request', message: string): ConnectError {
  return connectErrorFrom(new AppError(code, message));
}
