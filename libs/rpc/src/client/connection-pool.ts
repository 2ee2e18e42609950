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

/** A connection with the streams that are open on it. */
interface Session {
  connection: ClientHttp2Session;
  streams: number;
  /** What it was opened with. */
  identity: unknown;
  /** Gets no more calls, and closes after the last one. */
  isRetired: boolean;
}

interface PoolOptions {
  maxConnections: number;
  /** Makes a connection when one is needed. */
  open: () => Promise<ClientHttp2Session>;
  /** What connections are opened with now, compared by identity; unset: always the same. */
  identity?: () => unknown;
  /** Called once for each `identity` with which no connection could be opened beside older ones. */
  onRefused?: (error: unknown) => void;
  /** Called for each call that is refused because too many are under way. */
  onShed?: () => void;
}

/**
 * HTTP/2 connections to one endpoint for one kind of calls. If `identity` changes, the next call opens a connection, and
 * once that is open the older ones get no more calls. If it cannot be opened, the older ones stay in use: the endpoint may
 * learn later whom it must trust.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #sessions = new Set<Session>();
  /** The connection that is being opened because none had room. */
  #opening: Promise<Session> | undefined;
  /** Whether a connection with another identity is being opened. */
  #isReplacing = false;
  /** When another may be, after one that was refused. */
  #replaceAtMs = 0;
  /** The identity with which a connection was refused last. */
  #refused: unknown;
  /** Open streams and calls waiting for a connection. */
  #underWay = 0;
  #whenIdle: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Opens a stream on a connection that has room; opens a connection if none has.
   * @throws NetworkFailure when there is no connection or no room.
   */
  async request(
    headers: OutgoingHttpHeaders,
    options: ClientSessionRequestOptions,
  ): Promise<ClientHttp2Stream> {
    if (this.#underWay >= this.#options.maxConnections * maxStreamsPerConnection) {
      this.#options.onShed?.();
      throw new NetworkFailure('too many calls are under way', { isUnreached: true });
    }
    this.#underWay += 1;
    try {
      return await this.#take(headers, options);
    } catch (cause) {
      this.#ended();
      if (cause instanceof NetworkFailure) throw cause;
      throw new NetworkFailure('there is no connection', { isUnreached: true, cause });
    }
  }

  /** Whether a connection accepts calls. */
  isConnected(): boolean {
    return this.#usable().length > 0;
  }

  /** Resolves when there is a connection. @throws what `open` throws. */
  async connect(): Promise<void> {
    if (!this.isConnected()) await this.#openOnce();
  }

  /** Counts calls under way, those waiting for a connection included. */
  underWay(): number {
    return this.#underWay;
  }

  /** Resolves when no calls are under way. */
  async idle(): Promise<void> {
    if (this.#underWay === 0) return;
    this.#whenIdle ??= Promise.withResolvers();
    await this.#whenIdle.promise;
  }

  /** Destroys all connections. */
  close(): void {
    // With an error: streams of a session that is destroyed without one do not tell their readers.
    for (const { connection } of this.#sessions) connection.destroy(new Error('the transport is closed'));
  }

  #usable(): Session[] {
    return [...this.#sessions].filter(isUsable);
  }

  #ended(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    this.#whenIdle?.resolve();
    this.#whenIdle = undefined;
  }

  async #openSession(): Promise<Session> {
    const identity = this.#options.identity?.();
    const session = { connection: await this.#options.open(), streams: 0, identity, isRetired: false };
    // A session that the other side ended within TLS never emits `close`.
    for (const old of this.#sessions) if (old.connection.destroyed) this.#sessions.delete(old);
    this.#sessions.add(session);
    session.connection.once('close', () => this.#sessions.delete(session));
    return session;
  }

  #openOnce(): Promise<Session> {
    this.#opening ??= this.#openSession().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Opens a connection in the background if those in use were opened with another identity, and retires them. */
  #replaceOutdated(): void {
    const wanted = this.#options.identity?.();
    const outdated = this.#usable().filter((session) => session.identity !== wanted);
    if (outdated.length === 0 || this.#isReplacing || performance.now() < this.#replaceAtMs) return;
    this.#isReplacing = true;
    this.#openSession()
      .then(
        () => outdated.forEach(retire),
        (error: unknown) => {
          this.#replaceAtMs = performance.now() + replaceAgainMs;
          if (this.#refused !== wanted) this.#options.onRefused?.(error);
          this.#refused = wanted;
        },
      )
      .finally(() => {
        this.#isReplacing = false;
      });
  }

  async #take(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions) {
    const { maxConnections } = this.#options;
    this.#replaceOutdated();
    let session = this.#usable().find(hasRoom);
    // More than one round, if the calls that waited for the same connection have filled it.
    for (let round = 0; session === undefined && round < maxConnections; round += 1) {
      if (this.#usable().length >= maxConnections) break;
      await this.#openOnce();
      session = this.#usable().find(hasRoom);
    }
    if (session === undefined) throw new NetworkFailure('no connection has room', { isUnreached: true });
    const taken = session;
    const stream = taken.connection.request(headers, options);
    taken.streams += 1;
    stream.once('close', () => {
      taken.streams -= 1;
      if (taken.isRetired) closeUnused(taken);
      this.#ended();
    });
    // Its reader attaches later; until then an error must not end the process.
    stream.on('error', () => undefined);
    return stream;
  }
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

/** A proxy in between may accept fewer streams; HTTP/2 queues the others. */
function hasRoom({ streams }: Session): boolean {
  return streams < maxStreamsPerConnection;
}
