import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from 'node:http2';
import { NetworkFailure } from './network-failure.ts';

/** Calls on one connection; listeners of ours take so many. */
const streamsPerSession = 1_000;

/** Connections to one process for one sort of calls. */
export interface SessionLane {
  /**
   * Opens a stream on a connection that has room, and a connection where none has.
   * @throws NetworkFailure when there is no connection or no room.
   */
  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): Promise<ClientHttp2Stream>;
  /** Whether there is a connection that takes calls. */
  isConnected(): boolean;
  /** Sees to it that there is a connection. @throws what `open` throws. */
  connect(): Promise<void>;
  /** Calls that are under way or wait for a connection. */
  underWay(): number;
  /** Resolves when there are none. */
  idle(): Promise<void>;
  /** Cuts all connections. */
  close(): void;
}

/** A connection with the streams that are open on it. */
interface Session {
  connection: ClientHttp2Session;
  streams: number;
}

/** Makes a lane of at most `sessionsMax` connections, each made by `open` when it is needed. */
export function createSessionLane(options: {
  sessionsMax: number;
  open: () => Promise<ClientHttp2Session>;
  /** Told of a call that is refused because too many are under way. */
  onShed?: () => void;
}): SessionLane {
  const { sessionsMax, open } = options;
  const sessions = new Set<Session>();
  let opening: Promise<Session> | undefined;
  /** Streams that are open and calls that wait for a connection. */
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
    // One that the other side ended within TLS never says that it is closed.
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
    // More than one round when those who waited for the same connection filled it.
    for (let round = 0; session === undefined && round < sessionsMax; round += 1) {
      if (usable().length === sessionsMax) break;
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
    // Its reader comes a moment later; until then an error must not end the process.
    stream.on('error', () => undefined);
    return stream;
  }

  return {
    async request(headers, requestOptions) {
      if (underWay >= sessionsMax * streamsPerSession) {
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
      // With an error: the streams of a connection that ends without one never tell their readers.
      for (const { connection } of sessions) connection.destroy(new Error('the transport is closed'));
    },
  };
}

function isUsable({ connection }: Session): boolean {
  return !connection.closed && !connection.destroyed;
}

/** Until the other side knows who calls it takes fewer streams; HTTP/2 lets the others wait for that. */
function hasRoom({ streams }: Session): boolean {
  return streams < streamsPerSession;
}
