import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** What a listener allows the connections of its peers. */
export interface ConnectionBounds {
  /** Connections open at once; more are closed as they come. */
  connectionsMax: number;
  /** Of these, from one remote address. */
  connectionsPerAddressMax: number;
  /** Milliseconds within which TLS must be set up, and again within which the peer must speak HTTP/2. */
  setUpTimeoutMs: number;
  /** Milliseconds without a frame after which a peer is asked to leave, or with calls under way whether it is there. */
  idleTimeoutMs: number;
  /** Milliseconds that it has to do so. */
  farewellMs: number;
}

/**
 * Cuts a connection whose peer does not begin to speak HTTP/2, has nothing to
 * say for long, or is gone without a word. Our own callers ping more often.
 */
export function guardConnection(
  session: ServerHttp2Session,
  socket: Socket,
  { setUpTimeoutMs, idleTimeoutMs, farewellMs }: ConnectionBounds,
): void {
  let calls = 0;
  // The socket: a session that is destroyed still waits until its peer has taken what was written.
  let cutting = setTimeout(() => socket.destroy(), setUpTimeoutMs);
  const stay = () => clearTimeout(cutting);
  session.once('remoteSettings', stay);
  socket.once('close', stay);
  session.on('stream', (stream) => {
    calls += 1;
    stream.once('close', () => {
      calls -= 1;
    });
  });
  // Node takes pings for frames only while somebody listens for them.
  session.on('ping', () => undefined);
  session.setTimeout(idleTimeoutMs);
  session.on('timeout', () => {
    cutting = setTimeout(() => socket.destroy(), farewellMs);
    if (calls === 0) session.close();
    else {
      session.ping(() => {
        stay();
        // The answer to a ping of ours does not count as a frame.
        session.setTimeout(idleTimeoutMs);
      });
    }
  });
}
