import { type ClientHttp2Stream, constants } from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';

/** Node's errors for a stream whose connection closed before the request could be sent. */
const codesOfUnsent = new Set(['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION']);

/** Codes with which a server resets streams that no handler has seen: it is closing, or has no room for more. */
const codesOfRefused = new Set<number | undefined>([
  constants.NGHTTP2_REFUSED_STREAM,
  constants.NGHTTP2_ENHANCE_YOUR_CALM,
]);

/**
 * Why an endpoint did not answer a call: no connection, a broken connection, or no room for the call.
 * It is the `cause` of the error that callers see.
 */
export class NetworkFailure extends Error {
  /** Whether no handler can have seen the call, so that any call may be repeated. */
  readonly isUnreached: boolean;

  constructor(message: string, options: { isUnreached: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'NetworkFailure';
    this.isUnreached = options.isUnreached;
  }
}

/** Returns the error that a caller sees: `unavailable`, without details of the network. */
export function connectErrorOfNetwork(cause: NetworkFailure): ConnectError {
  return new ConnectError('a part of the service cannot be reached', Code.Unavailable, {}, [], cause);
}

/** Classifies the error that ended a stream; `stream` is undefined if none could be opened. */
export function networkFailureOf(thrown: unknown, stream: ClientHttp2Stream | undefined): NetworkFailure {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof NetworkFailure) return error;
    if ('code' in error && codesOfUnsent.has(String(error.code))) return unreached(thrown);
    // The connection was destroyed: all its streams have its code, those that handlers have seen included.
    if ('code' in error && error.code === 'ERR_HTTP2_SESSION_ERROR') return broken(thrown);
  }
  // A stream without a number was never sent.
  if (stream?.id === undefined || codesOfRefused.has(stream.rstCode)) return unreached(thrown);
  return broken(thrown);
}

function broken(cause: unknown): NetworkFailure {
  return new NetworkFailure('the connection broke', { isUnreached: false, cause });
}

function unreached(cause: unknown): NetworkFailure {
  return new NetworkFailure('the call could not be sent', { isUnreached: true, cause });
}
