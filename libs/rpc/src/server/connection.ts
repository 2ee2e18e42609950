import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { networkOf } from '../auth/client-address.ts';
import { connectionRoom, maxStrangerHeldBytes, type Standing } from '../connection-limits.ts';

/** Bounds on the connections of a listener. */
export interface ConnectionBounds {
  /** Connections open at once. */
  maxConnections: number;
  /** Of these, from one address. */
  maxConnectionsPerAddress: number;
  /** Milliseconds without a call until one has authenticated; TLS and HTTP/2 are set up in this time as well. */
  strangerIdleMs: number;
  /** Milliseconds without a call after that; other parts of the installation may be silent for longer. */
  idleTimeoutMs: number;
}

/** How long somebody who was asked to leave may take to hang up. */
const farewellMs = 10_000;
const rank: Record<Standing, number> = { stranger: 0, caller: 1, part: 2 };

/** One connection to a listener, and how far whoever is at its other end is trusted. */
export class Connection {
  readonly socket: Socket;
  /** Where it comes from; addresses that one machine has at will count as one. */
  readonly address: string;
  /** Unset before HTTP/2 is set up, and for HTTP/1.1. */
  session: ServerHttp2Session | undefined;
  standing: Standing = 'stranger';
  /** Calls under way. */
  calls = 0;
  readonly #bounds: ConnectionBounds;
  /** Bytes of messages that its calls hold, of those without a token. */
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, bounds: ConnectionBounds) {
    this.socket = socket;
    this.address = networkOf(socket.remoteAddress);
    this.#bounds = bounds;
    this.#waitForCall();
    socket.once('close', () => clearTimeout(this.#timer));
  }

  /** Notes that a call begins. */
  begin(): void {
    this.calls += 1;
    clearTimeout(this.#timer);
  }

  /** Notes that a call is over. */
  end(): void {
    this.calls -= 1;
    if (this.calls === 0) this.#waitForCall();
  }

  /** Gives it the room of somebody better known; never takes any away. */
  raise(standing: Standing): void {
    if (rank[standing] <= rank[this.standing]) return;
    this.standing = standing;
    if (this.calls === 0) this.#waitForCall();
    if (this.session === undefined || this.session.destroyed) return;
    const { streams, streamWindowBytes, sessionWindowBytes } = connectionRoom[standing];
    this.session.settings({ maxConcurrentStreams: streams, initialWindowSize: streamWindowBytes });
    this.session.setLocalWindowSize(sessionWindowBytes);
  }

  /** Notes that calls without a token hold more, or less than 0: less bytes; cuts a stranger's that holds too many. */
  hold(bytes: number): void {
    this.#held += bytes;
    if (this.standing === 'stranger' && this.#held > maxStrangerHeldBytes) this.socket.destroy();
  }

  #waitForCall(): void {
    clearTimeout(this.#timer);
    const { strangerIdleMs, idleTimeoutMs } = this.#bounds;
    if (this.socket.destroyed || this.standing === 'part') return;
    this.#timer =
      this.standing === 'stranger'
        ? setTimeout(() => this.socket.destroy(), strangerIdleMs)
        : setTimeout(() => this.#leave(), idleTimeoutMs);
  }

  /** Asks to hang up first, so that a call that is on its way is not lost. */
  #leave(): void {
    this.session?.close();
    this.#timer = setTimeout(() => this.socket.destroy(), this.session === undefined ? 0 : farewellMs);
  }
}
