import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { networkOf } from '../auth/call-origin.ts';

/** Bounds on the connections of a listener. */
export interface ConnectionBounds {
  /** Connections open at once. */
  maxConnections: number;
  /** Of these, from one address. */
  maxConnectionsPerAddress: number;
  /** Milliseconds without a call until one has authenticated; TLS and HTTP/2 are set up in this time as well. */
  strangerIdleMs: number;
  /** Milliseconds without a call after that. */
  idleTimeoutMs: number;
  /** Streams open at once after that. */
  maxStreams: number;
}

/**
 * What HTTP/2 lets a stranger have open: 32 streams of 2 KiB. A client that makes more calls at once, before it has heard
 * how many it may make, has the others refused for it to repeat.
 */
export const strangerSettings = { maxConcurrentStreams: 32, initialWindowSize: 2 * 1024 };
/** Windows are memory as well, and the one of the whole connection bounds speed alone: Node opens it again unread. */
const [streamWindowBytes, connectionWindowBytes] = [256 * 1024, 16 * 1024 * 1024];

/**
 * Bytes of messages that the calls without a token of a connection may hold together. Of a stranger: the 64 KiB that
 * HTTP/2 lets it send at once, and room for pieces that count more than their bytes, so that a client within its rights
 * hears why it is refused. After a call with a token: what the calls that a proxy passes on may hold.
 */
const maxHeldBytes = { stranger: 80 * 1024, known: 16 * 1024 * 1024 };
/** How long somebody who was asked to leave may take to hang up. */
const farewellMs = 10_000;

/** One connection to a listener, and whether whoever is at its other end is known. */
export class Connection {
  readonly socket: Socket;
  /** Where it comes from; addresses that one machine has at will count as one. */
  readonly address: string;
  /** Unset before HTTP/2 is set up, and for HTTP/1.1. */
  session: ServerHttp2Session | undefined;
  /** Calls under way. */
  calls = 0;
  readonly #bounds: ConnectionBounds;
  /** Whether a call on it had a good token. */
  #isKnown = false;
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

  /** Notes that a call on it had a good token: it gets more room. */
  know(): void {
    if (this.#isKnown) return;
    this.#isKnown = true;
    const { session } = this;
    if (session === undefined || session.destroyed) return;
    session.settings({
      maxConcurrentStreams: this.#bounds.maxStreams,
      initialWindowSize: streamWindowBytes,
    });
    session.setLocalWindowSize(connectionWindowBytes);
  }

  /** Notes that calls without a token hold more, or less than 0: less bytes; cuts one that holds too many. */
  hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > maxHeldBytes[this.#isKnown ? 'known' : 'stranger']) this.socket.destroy();
  }

  #waitForCall(): void {
    clearTimeout(this.#timer);
    if (this.socket.destroyed) return;
    const { strangerIdleMs, idleTimeoutMs } = this.#bounds;
    this.#timer = this.#isKnown
      ? setTimeout(() => this.#leave(), idleTimeoutMs)
      : setTimeout(() => this.socket.destroy(), strangerIdleMs);
  }

  /** Asks to hang up first, so that a call that is on its way is not lost. */
  #leave(): void {
    this.session?.close();
    this.#timer = setTimeout(() => this.socket.destroy(), this.session === undefined ? 0 : farewellMs);
  }
}
