import { constants, type IncomingHttpHeaders } from 'node:http2';
import { Code, ConnectError, createContextKey, type Interceptor } from '@connectrpc/connect';
import {
  codeToHttpStatus,
  endStreamFlag,
  endStreamToJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import type { CallCharge, RefusalReason } from './call-budgets.ts';
import type { CallStream } from './call-stream.ts';
import { resetStream } from './guard-connection.ts';

/** A peer reads a refusal of a few hundred bytes at once, or never. */
const unreadTimeoutMs = 2_000;

/**
 * Answers a call with an error in its own protocol: gRPC and gRPC-Web by headers alone, Connect by a JSON
 * error or, for a stream, by its last frame. The rest of the request is not read, and the call ends
 * even if nobody reads the answer.
 */
export function refuseCall(stream: CallStream, headers: IncomingHttpHeaders, error: ConnectError): void {
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
  // The reset waits until the answer is read.
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

/** What the call is charged to; set by the listener, undefined within one process. */
export const chargeKey = createContextKey<CallCharge | undefined>(undefined, {
  description: 'what the call is charged to',
});
/** Whether the call's message was decoded. */
export const decodedKey = createContextKey(false, { description: 'whether the message was decoded' });

/** Errors that the caller could have avoided. */
const reasons: Partial<Record<Code, RefusalReason>> = {
  [Code.InvalidArgument]: 'invalid',
  [Code.PermissionDenied]: 'denied',
};

/**
 * Charges calls that a handler refuses to the key that made them. The outermost interceptor of a
 * listener; calls within one process do not pass it.
 */
export const chargeRefusals: Interceptor = (next) => async (request) => {
  request.contextValues.set(decodedKey, true);
  try {
    return await next(request);
  } catch (thrown) {
    const reason = thrown instanceof ConnectError ? reasons[thrown.code] : undefined;
    if (reason !== undefined) request.contextValues.get(chargeKey)?.refused(reason);
    throw thrown;
  }
};
