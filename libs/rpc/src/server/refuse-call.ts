import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { ConnectError } from '@connectrpc/connect';
import {
  codeToHttpStatus,
  endStreamFlag,
  endStreamToJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { resetStream } from './guard-connection.ts';

/** A refusal of a few hundred bytes is taken at once, or by a peer that does not want it never. */
const unreadTimeoutMs = 2_000;

/**
 * Answers a call with an error in the words of its protocol: gRPC and gRPC-Web
 * by headers alone, Connect by a JSON error or, for a stream, by its last frame.
 * What else the caller sends is not read, and the call ends whether the answer
 * is or not.
 */
export function refuseCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  error: ConnectError,
): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const contentType = headers['content-type'] ?? '';
  if (contentType.startsWith('application/grpc')) {
    const status = new Headers(error.metadata);
    setTrailerStatus(status, error);
    stream.respond({ ...Object.fromEntries(status), 'content-type': contentType }, { endStream: true });
  } else if (contentType.startsWith('application/connect+')) {
    stream.respond({ 'content-type': contentType });
    stream.end(endOfStream(error));
  } else {
    stream.respond({
      ...Object.fromEntries(error.metadata),
      ':status': codeToHttpStatus(error.code),
      'content-type': 'application/json',
    });
    stream.end(errorToJsonBytes(error, undefined));
  }
  // Not at once: an answer of headers alone would be lost.
  setImmediate(() => resetStream(stream, constants.NGHTTP2_NO_ERROR));
  // That waits until the answer is taken.
  const timer = setTimeout(() => stream.destroy(), unreadTimeoutMs);
  stream.once('close', () => clearTimeout(timer));
}

/** One enveloped message: a byte of flags, the length in four bytes, and JSON. */
function endOfStream(error: ConnectError): Buffer {
  const message = Buffer.from(JSON.stringify(endStreamToJson(new Headers(error.metadata), error, undefined)));
  const envelope = Buffer.alloc(5);
  envelope.writeUInt8(endStreamFlag, 0);
  envelope.writeUInt32BE(message.length, 1);
  return Buffer.concat([envelope, message]);
}
