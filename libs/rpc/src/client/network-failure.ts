import { type ClientHttp2Stream, constants } from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';

/** Node's errors of a stream whose connection was going away before the request could be sent. */
const codesOfUnsent = new Set(['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION']);

/** How a server resets what no handler has seen: it goes away, or has no room for more streams right now. */
const codesOfRefused = new Set<number | undefined>([
  constants.NGHTTP2_REFUSED_STREAM,
  constants.NGHTTP2_ENHANCE_YOUR_CALM,
]);

/**
 * Why a call got no answer from a process: no connection, a connection that
 * broke, or no room for the call. It is the `cause` of what callers see.
 */
export class NetworkFailure extends Error {
  /** Whether no handler can have seen the call, so that it may be made again whatever it does. */
  readonly isUnreached: boolean;

  constructor(message: string, options: { isUnreached: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'NetworkFailure';
    this.isUnreached = options.isUnreached;
  }
}

/** The error that a caller sees: `unavailable`, and nothing of the network in its message. */
export function connectErrorOfNetwork(cause: NetworkFailure): ConnectError {
  return new ConnectError('a part of the service cannot be reached', Code.Unavailable, {}, [], cause);
}

/** Makes a failure of what a stream ended with; `stream` is undefined where none could be opened. */
export function networkFailureOf(thrown: unknown, stream: ClientHttp2Stream | undefined): NetworkFailure {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof NetworkFailure) return error;
    if ('code' in error && codesOfUnsent.has(String(error.code))) return unreached(thrown);
    // The connection was given up: its code is that of all streams on it, also of those that handlers have seen.
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
