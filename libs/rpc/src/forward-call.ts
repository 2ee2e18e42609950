import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';
import { callDeadline } from './call-deadline.ts';
import type { ProcessPool } from './process-pool.ts';
import { refuseCall } from './refuse-call.ts';
import type { Lane, RemoteProcess } from './remote-process.ts';

const { NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;

/** What a call may take at most, and takes without a deadline of its own; services allow as much. */
const maxTimeoutMs = 120_000;
/** The service ends a call at its deadline by itself, in better words; only a hung one is waited for so long. */
const graceMs = 1_000;
/** Processes that are tried until one takes the call. */
const attemptsMax = 3;

/** A call as it arrived. */
export interface IncomingCall {
  stream: ServerHttp2Stream;
  headers: IncomingHttpHeaders;
  /** Flags of the frame that brought the headers. */
  flags: number;
}

/** Ends a call with an error, if it is still under way. */
export type EndCall = (error: ConnectError) => void;

/**
 * Passes a call to a process as it is, and the answer back: headers, data with
 * back-pressure, trailers and resets, in both directions. Answers how to end it.
 */
export function forwardCall(
  { stream, headers, flags }: IncomingCall,
  pool: ProcessPool,
  lane: Lane,
): EndCall {
  const deadline = callDeadline(headers, maxTimeoutMs);
  let upstream: ClientHttp2Stream | undefined;

  const end: EndCall = (error) => {
    if (stream.headersSent) stream.close(NGHTTP2_CANCEL);
    else refuseCall(stream, headers, error);
    upstream?.close(NGHTTP2_CANCEL);
  };
  const timer = setTimeout(
    () => end(new ConnectError('the operation timed out', Code.DeadlineExceeded)),
    deadline.timeoutMs + graceMs,
  );
  // Told by `close` as well.
  stream.on('error', () => undefined);
  stream.once('close', () => {
    clearTimeout(timer);
    upstream?.close(stream.rstCode === NGHTTP2_NO_ERROR ? NGHTTP2_CANCEL : stream.rstCode);
  });

  const outgoing: OutgoingHttpHeaders = { ...headers, ...deadline.header };
  // Those of the next connection are its own.
  delete outgoing[':scheme'];
  delete outgoing[':authority'];
  const endStream = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
  openStream(pool, (process) => process.request(lane, outgoing, { endStream, waitForTrailers: true })).then(
    (opened) => {
      upstream = opened;
      if (stream.destroyed || stream.closed) opened.close(NGHTTP2_CANCEL);
      else join(stream, opened, end);
    },
    end,
  );
  return end;
}

async function openStream(
  pool: ProcessPool,
  request: (process: RemoteProcess) => Promise<ClientHttp2Stream>,
): Promise<ClientHttp2Stream> {
  const tried = new Set<RemoteProcess>();
  for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
    const process = pool.choose(undefined, tried);
    if (process === undefined) break;
    tried.add(process);
    // Nothing was sent where it fails, so that another process may be asked.
    const opened = await request(process).catch(() => undefined);
    if (opened !== undefined) return opened;
  }
  throw unavailable();
}

function join(stream: ServerHttp2Stream, upstream: ClientHttp2Stream, end: EndCall): void {
  let isWhole = false;
  upstream.once('end', () => {
    isWhole = true;
  });
  upstream.once('response', (headers, flags) => {
    if (stream.destroyed || stream.closed) return;
    const endStream = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(headers, { endStream, waitForTrailers: true });
    if (endStream) upstream.resume();
    else upstream.pipe(stream);
  });
  upstream.once('close', () => {
    if (!isWhole) end(unavailable());
  });
  passTrailers(upstream, stream);
  passTrailers(stream, upstream);
  stream.pipe(upstream);
}

function passTrailers(
  from: ServerHttp2Stream | ClientHttp2Stream,
  to: ServerHttp2Stream | ClientHttp2Stream,
) {
  let trailers: IncomingHttpHeaders = {};
  from.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  to.once('wantTrailers', () => to.sendTrailers(trailers));
}

function unavailable(): ConnectError {
  return new ConnectError('a part of the service cannot be reached', Code.Unavailable);
}
