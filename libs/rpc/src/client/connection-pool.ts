import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from 'node:http2';
import { NetworkFailure } from './network-failure.ts';

/** Calls on one connection; our listeners accept as many. */
const maxStreamsPerConnection = 1_000;
/** The pause before another attempt to replace connections, after an endpoint accepted none. */
const replaceAgainMs = 2_000;

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
  /** What it was opened with. */
  identity: unknown;
  /** Gets no more calls, and closes after the last one. */
  isRetired: boolean;
}

/**
 * Makes a pool of at most `maxConnections` connections, each made by `open` when it is needed. If `identity` changes,
 * the next call opens a connection, and once that is open the older ones get no more calls. If it cannot be opened,
 * the older ones stay in use: the endpoint may learn later whom it must trust.
 */
export function createConnectionPool(options: {
  maxConnections: number;
  open: () => Promise<ClientHttp2Session>;
  /** What connections are opened with now, compared by identity; unset: always the same. */
  identity?: () => unknown;
  /** Called once for each `identity` with which no connection could be opened beside older ones. */
  onRefused?: (error: unknown) => void;
  /** Called for each call that is refused because too many are under way. */
  onShed?: () => void;
}): ConnectionPool {
  const { maxConnections, open, identity = () => undefined, onRefused } = options;
  const sessions = new Set<Session>();
  let opening: Promise<Session> | undefined;
  let isReplacing = false;
  let replaceAtMs = 0;
  let refused: unknown;
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
    const openedWith = identity();
    const session = { connection: await open(), streams: 0, identity: openedWith, isRetired: false };
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

  /** Opens a connection in the background if those in use were opened with another identity, and retires them. */
  function replaceOutdated(): void {
    const wanted = identity();
    const outdated = usable().filter((session) => session.identity !== wanted);
    if (outdated.length === 0 || isReplacing || performance.now() < replaceAtMs) return;
    isReplacing = true;
    openSession()
      .then(
        () => outdated.forEach(retire),
        (error: unknown) => {
          replaceAtMs = performance.now() + replaceAgainMs;
          if (refused !== wanted) onRefused?.(error);
          refused = wanted;
        },
      )
      .finally(() => {
        isReplacing = false;
      });
  }

  const sessionWithRoom = () => usable().find(hasRoom);

  async function take(headers: OutgoingHttpHeaders, requestOptions: ClientSessionRequestOptions) {
    replaceOutdated();
    let session = sessionWithRoom();
    // More than one round, if the calls that waited for the same connection have filled it.
    for (let round = 0; session === undefined && round < maxConnections; round += 1) {
      if (usable().length >= maxConnections) break;
      await openOnce();
      session = sessionWithRoom();
    }
    if (session === undefined) throw new NetworkFailure('no connection has room', { isUnreached: true });
    const { connection } = session;
    const stream = connection.request(headers, requestOptions);
    session.streams += 1;
    stream.once('close', () => {
      session.streams -= 1;
      if (session.isRetired) closeUnused(session);
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

function isUsable({ connection, isRetired }: Session): boolean {
  return !isRetired && !connection.closed && !connection.destroyed;
}

function retire(session: Session): void {
  session.isRetired = true;
  closeUnused(session);
}

/** Not before its last stream: a process refuses streams that arrive after the word that a connection closes. */
function closeUnused({ connection, streams }: Session): void {
  if (streams === 0) connection.close();
}

/** An endpoint accepts fewer streams until it knows the caller; HTTP/2 queues the others until then. */
function hasRoom({ streams }: Session): boolean {
  return streams < maxStreamsPerConnection;
}
