import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ConnectError } from '@connectrpc/connect';
import {
  codeToHttpStatus,
  endStreamFlag,
  endStreamToJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';

/**
 * Answers a call with an error in the words of its protocol: gRPC and gRPC-Web
 * by headers alone, Connect by a JSON error or, for a stream, by its last frame.
 */
export function refuseCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  error: ConnectError,
): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const contentType = headers['content-type'] ?? '';
  if (contentType.startsWith('application/grpc')) {
    const status = {
      'content-type': contentType,
      'grpc-status': String(error.code),
      'grpc-message': encodeURIComponent(error.rawMessage),
    };
    stream.respond(status, { endStream: true });
  } else if (contentType.startsWith('application/connect+')) {
    stream.respond({ 'content-type': contentType });
    stream.end(endOfStream(error));
  } else {
    stream.respond({ ':status': codeToHttpStatus(error.code), 'content-type': 'application/json' });
    stream.end(errorToJsonBytes(error, undefined));
  }
  // What else the caller sends is not read. Not at once: an answer of headers alone would be lost.
  setImmediate(() => stream.close());
}

/** One enveloped message: a byte of flags, the length in four bytes, and JSON. */
function endOfStream(error: ConnectError): Buffer {
  const message = Buffer.from(JSON.stringify(endStreamToJson(new Headers(), error, undefined)));
  const envelope = Buffer.alloc(5);
  envelope.writeUInt8(endStreamFlag, 0);
  envelope.writeUInt32BE(message.length, 1);
  return Buffer.concat([envelope, message]);
}
