import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from 'node:http2';
import { NetworkFailure } from './network-failure.ts';

/** Calls on one connection; our listeners accept as many. */
const maxStreamsPerConnection = 1_000;

/** HTTP/2 connections to one endpoint for one kind of calls. */
export interface ConnectionPool {
  /**
   * Opens a stream on a connection that has room; opens a connection if none has.
   * @throws NetworkFailure when there is no connection or no room.
   */
  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): Promise<ClientHttp2Stream>;
  /** Whether a connection accepts calls. */
  isConnected(): boolean;
  /** Resolves when there is a connection. @throws what `open` throws. */
  connect(): Promise<void>;
  /** Counts calls under way, those waiting for a connection included. */
  underWay(): number;
  /** Resolves when no calls are under way. */
  idle(): Promise<void>;
  /** Destroys all connections. */
  close(): void;
}

/** A connection with the streams that are open on it. */
interface Session {
  connection: ClientHttp2Session;
  streams: number;
}

/** Makes a pool of at most `maxConnections` connections, each made by `open` when it is needed. */
export function createConnectionPool(options: {
  maxConnections: number;
  open: () => Promise<ClientHttp2Session>;
  /** Called for each call that is refused because too many are under way. */
  onShed?: () => void;
}): ConnectionPool {
  const { maxConnections, open } = options;
  const sessions = new Set<Session>();
  let opening: Promise<Session> | undefined;
  /** Open streams and calls waiting for a connection. */
  let underWay = 0;
  let whenIdle: PromiseWithResolvers<void> | undefined;

  function ended(): void {
    underWay -= 1;
    if (underWay > 0) return;
    whenIdle?.resolve();
    whenIdle = undefined;
  }

  async function openSession(): Promise<Session> {
    const session = { connection: await open(), streams: 0 };
    // A session that the other side ended within TLS never emits `close`.
    for (const old of sessions) if (old.connection.destroyed) sessions.delete(old);
    sessions.add(session);
    session.connection.once('close', () => sessions.delete(session));
    return session;
  }

  function openOnce(): Promise<Session> {
    opening ??= openSession().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  const usable = () => [...sessions].filter(isUsable);
  const sessionWithRoom = () => usable().find(hasRoom);

  async function take(headers: OutgoingHttpHeaders, requestOptions: ClientSessionRequestOptions) {
    let session = sessionWithRoom();
    // More than one round, if the calls that waited for the same connection have filled it.
    for (let round = 0; session === undefined && round < maxConnections; round += 1) {
      if (usable().length === maxConnections) break;
      await openOnce();
      session = sessionWithRoom();
    }
    if (session === undefined) throw new NetworkFailure('no connection has room', { isUnreached: true });
    const { connection } = session;
    const stream = connection.request(headers, requestOptions);
    session.streams += 1;
    stream.once('close', () => {
      session.streams -= 1;
      ended();
    });
    // Its reader attaches later; until then an error must not end the process.
    stream.on('error', () => undefined);
    return stream;
  }

  return {
    async request(headers, requestOptions) {
      if (underWay >= maxConnections * maxStreamsPerConnection) {
        options.onShed?.();
        throw new NetworkFailure('too many calls are under way', { isUnreached: true });
      }
      underWay += 1;
      try {
        return await take(headers, requestOptions);
      } catch (cause) {
        ended();
        if (cause instanceof NetworkFailure) throw cause;
        throw new NetworkFailure('there is no connection', { isUnreached: true, cause });
      }
    },
    isConnected: () => usable().length > 0,
    async connect() {
      if (usable().length === 0) await openOnce();
    },
    underWay: () => underWay,
    async idle() {
      if (underWay === 0) return;
      whenIdle ??= Promise.withResolvers();
      await whenIdle.promise;
    },
    close() {
      // With an error: streams of a session that is destroyed without one do not tell their readers.
      for (const { connection } of sessions) connection.destroy(new Error('the transport is closed'));
    },
  };
}

function isUsable({ connection }: Session): boolean {
  return !connection.closed && !connection.destroyed;
}

/** An endpoint accepts fewer streams until it knows the caller; HTTP/2 queues the others until then. */
function hasRoom({ streams }: Session): boolean {
  return streams < maxStreamsPerConnection;
}
