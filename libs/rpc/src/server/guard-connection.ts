import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { connectionRoom, maxStrangerHeldBytes, type Standing } from '../connection-limits.ts';
import type { CallStream } from './call-stream.ts';
import type { Peer, PeerBounds, PeerRegistry } from './peer-registry.ts';

/** Bounds on the connections of a listener's peers. */
export interface ConnectionBounds extends PeerBounds {
  /** Milliseconds without a frame after which a peer is asked to leave, or with calls under way whether it is there. */
  idleTimeoutMs: number;
  /** Milliseconds that it has to do so. */
  farewellMs: number;
}

/**
 * Streams a peer may reset before they are answered: at once as many as it may
 * have open, and again per second. Node counts as well, but not by who it is.
 * Parts are left to Node's count.
 */
const resetBounds: Record<Exclude<Standing, 'part'>, { burst: number; perSecond: number }> = {
  // Strangers check health, exchange a key and ask what there is: they hardly ever cancel.
  stranger: { burst: connectionRoom.stranger.streams, perSecond: 10 },
  // Somebody who types a question and cancels the one before.
  caller: { burst: connectionRoom.caller.streams, perSecond: 33 },
};

/** One connection, as the calls on it see it. */
export interface Connection {
  readonly peer: Peer;
  /** Raises the connection's room to that of the authenticated peer; never lowers it. */
  raise(standing: Standing): void;
  /** Cuts it, and counts that against its address. */
  cut(): void;
  /** Takes note of bytes that a stream of a stranger holds; a connection with too many is cut. */
  hold(bytes: number): void;
  release(bytes: number): void;
  /** Takes note of bytes of a message that somebody known sent: what else comes is bounded. */
  took(bytes: number): void;
}

const connections = new WeakMap<object, Connection>();
const resetByUs = new WeakSet<object>();
const knownCalls = new WeakSet<object>();
const rank: Record<Standing, number> = { stranger: 0, caller: 1, part: 2 };

/** Notes that a good token stands for a call. */
export function markKnown(stream: CallStream): void {
  knownCalls.add(stream);
}

/** The connection that a stream came on; undefined where it is gone. */
export function connectionOf({ session }: Pick<CallStream, 'session'>): Connection | undefined {
  return session === undefined ? undefined : connections.get(session);
}

/**
 * Resets a stream from our side, which is not counted as a reset of its peer;
 * with NO_ERROR once its answer is taken.
 */
export function resetStream(stream: CallStream, code: number = constants.NGHTTP2_CANCEL): void {
  if (stream.destroyed) return;
  resetByUs.add(stream);
  stream.close(code);
  // What arrived and was not read would keep it for ever. Not at once: the frame would not be sent.
  const discard = () => setImmediate(() => stream.destroy());
  if (code !== constants.NGHTTP2_NO_ERROR || stream.writableFinished) discard();
  else stream.once('finish', discard);
}

/**
 * Watches over a connection: cuts it when its peer resets too many streams, or
 * is gone without a word, and asks it to leave when it has nothing to say for
 * long. Our own callers ping more often.
 */
export function guardConnection(
  session: ServerHttp2Session,
  socket: Socket,
  peer: Peer,
  registry: PeerRegistry,
  { idleTimeoutMs, farewellMs }: ConnectionBounds,
): Connection {
  const resets = { left: resetBounds.stranger.burst, atMs: performance.now() };

  const connection: Connection = {
    peer,
    raise(standing) {
      if (rank[standing] <= rank[peer.standing] || session.destroyed) return;
      registry.raise(peer, standing);
      const { streams, streamWindowBytes, sessionWindowBytes } = connectionRoom[standing];
      session.settings({ maxConcurrentStreams: streams, initialWindowSize: streamWindowBytes });
      session.setLocalWindowSize(sessionWindowBytes);
      if (standing === 'caller') resets.left = resetBounds.caller.burst;
    },
    cut() {
      if (peer.leaving) return;
      peer.leaving = true;
      registry.strike(peer);
      session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
      socket.destroy();
    },
    ...countBytes(peer, () => connection.cut()),
  };
  connections.set(session, connection);

  function countReset(): void {
    if (peer.standing === 'part' || peer.leaving) return;
    const { burst, perSecond } = resetBounds[peer.standing];
    const nowMs = performance.now();
    resets.left = Math.min(burst, resets.left + ((nowMs - resets.atMs) / 1_000) * perSecond) - 1;
    resets.atMs = nowMs;
    if (resets.left < 0) connection.cut();
  }

  session.on('stream', (stream) => {
    countCall(stream, connection, registry, () => {
      if (stream.aborted && !resetByUs.has(stream)) countReset();
    });
  });
  leaveWhenIdle(session, socket, peer, { idleTimeoutMs, farewellMs });
  return connection;
}

/** Watches over a connection of HTTP/1.1, which has neither windows nor resets: a call that is cut ends it. */
export function guardHttp1Connection(socket: Socket, peer: Peer, registry: PeerRegistry): Connection {
  const connection: Connection = {
    peer,
    raise(standing) {
      if (rank[standing] > rank[peer.standing]) registry.raise(peer, standing);
    },
    cut() {
      if (peer.leaving) return;
      peer.leaving = true;
      registry.strike(peer);
      socket.destroy();
    },
    ...countBytes(peer, () => connection.cut()),
  };
  connections.set(socket, connection);
  return connection;
}

/** Counts a call of a connection until it is closed, and cuts the connection for one too many that nobody's token stood for. */
export function countCall(
  stream: CallStream,
  connection: Connection,
  registry: PeerRegistry,
  onEnded: () => void = () => undefined,
): void {
  const { peer } = connection;
  peer.calls += 1;
  const ended = () => {
    peer.calls -= 1;
    peer.idleSinceMs = performance.now();
    onEnded();
    if (peer.standing !== 'part' && !knownCalls.has(stream) && !registry.mayCallUnknown(peer)) {
      connection.cut();
    }
  };
  if (stream.destroyed) ended();
  else stream.once('close', ended);
}

function countBytes(peer: Peer, cut: () => void): Pick<Connection, 'hold' | 'release' | 'took'> {
  let held = 0;
  return {
    hold(bytes) {
      held += bytes;
      if (peer.standing === 'stranger' && held > maxStrangerHeldBytes) cut();
    },
    release(bytes) {
      held -= bytes;
    },
    took(bytes) {
      peer.allowance.messageBytes += bytes;
    },
  };
}

function leaveWhenIdle(
  session: ServerHttp2Session,
  socket: Socket,
  peer: Peer,
  { idleTimeoutMs, farewellMs }: Pick<ConnectionBounds, 'idleTimeoutMs' | 'farewellMs'>,
): void {
  let cutting: NodeJS.Timeout | undefined;
  const stay = () => clearTimeout(cutting);
  socket.once('close', stay);
  // Node takes pings for frames only while somebody listens for them.
  session.on('ping', () => undefined);
  session.setTimeout(idleTimeoutMs);
  session.on('timeout', () => {
    // The socket: a session that is destroyed still waits until its peer has taken what was written.
    cutting = setTimeout(() => socket.destroy(), farewellMs);
    if (peer.calls === 0) session.close();
    else {
      session.ping(() => {
        stay();
        // The answer to a ping of ours does not count as a frame.
        session.setTimeout(idleTimeoutMs);
      });
    }
  });
}
