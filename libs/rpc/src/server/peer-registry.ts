import type { Socket } from 'node:net';
import { networkOf } from '../auth/client-address.ts';
import type { Standing } from '../connection-limits.ts';

/** How many peers a listener lets in, and how long it keeps those that it does not know. */
export interface PeerBounds {
  /** Connections open at once. */
  maxConnections: number;
  /** Of these, from one address. */
  maxConnectionsPerAddress: number;
  /** Of these, without an authenticated call; half of them from one address. */
  maxStrangers: number;
  /** Milliseconds that a stranger may be without a call under way; TLS and HTTP/2 are set up in this time as well. */
  strangerIdleMs: number;
}

/** Connections of an address that are cut for what they did within `strikes.withinMs` until it is refused. */
const strikes = { most: 3, withinMs: 60_000, refusedMs: 30_000, addressesKept: 10_000 };
/**
 * Calls of an address that nobody's token stands for, whether they are refused
 * or need none: at once, and again per second. Each costs time that others wait for.
 */
const unknownCalls = { burst: 2_000, perSecond: 100 };
/**
 * Bytes that are no message of a call: at once, and again per second. Frames of a few bytes (WINDOW_UPDATE, SETTINGS,
 * PRIORITY) cost time as well, and nothing of ours is told of them. Calls have a few hundred bytes of headers; what a
 * refused call sent before it knew is at most the windows of its connection, 25 MiB of a caller's. Messages of strangers,
 * of 16 KiB at most, are counted as well.
 */
const otherBytes: Record<Exclude<Standing, 'part'>, { burst: number; perSecond: number }> = {
  stranger: { burst: 1024 * 1024, perSecond: 256 * 1024 },
  caller: { burst: 32 * 1024 * 1024, perSecond: 1024 * 1024 },
};
/** How often peers are looked at: what one can send meanwhile is read all the same. */
const sweepMs = 200;

/** The registry's record of one connection. */
export interface Peer {
  /** Where it comes from; addresses that one machine has at will count as one. */
  readonly address: string;
  readonly socket: Socket;
  standing: Standing;
  calls: number;
  /** When its last call ended, or when it came. */
  idleSinceMs: number;
  /** Asked to be gone. */
  leaving: boolean;
  /** Bytes that it may still send beside messages, by what the socket had read and what of that was messages. */
  readonly allowance: { left: number; bytesRead: number; messageBytes: number; atMs: number };
}

export interface PeerRegistry {
  /** Takes note of a connection that was accepted; undefined where it is not let in and is to be closed. */
  admit(socket: Socket): Peer | undefined;
  /** Notes that a peer is no stranger any more. */
  raise(peer: Peer, standing: Standing): void;
  /** Notes that a connection was cut for what it did; an address that comes back for more is refused for a while. */
  strike(peer: Peer): void;
  /** Counts a call that nobody's token stood for; false where its address makes too many. */
  mayCallUnknown(peer: Peer): boolean;
  count(standing: Standing): number;
  close(): void;
}

/** Outcomes of connections, for the metrics. */
export type PeerEvent = 'refused_address' | 'refused_full' | 'evicted' | 'idle' | 'misbehaved';

/**
 * Keeps the peers of a listener within their bounds. Where a stranger finds no
 * room, the stranger that has been idle longest makes way; those that have
 * authenticated are never cut for one that has not.
 */
export function createPeerRegistry(
  bounds: PeerBounds,
  { clock, onEvent }: { clock: () => number; onEvent(event: PeerEvent): void },
): PeerRegistry {
  const maxStrangersPerAddress = Math.max(1, Math.ceil(bounds.maxStrangers / 2));
  const peers = new Set<Peer>();
  /** Oldest first. */
  const strangers = new Set<Peer>();
  const ofAddress = new Map<string, number>();
  const unknown = new Map<string, { left: number; atMs: number }>();
  const struck = new Map<string, { times: number[]; refusedUntilMs: number }>();

  /** Cuts the stranger that has been idle longest, or where all have calls under way the oldest; false where there is none. */
  function evict(isMeant: (peer: Peer) => boolean): boolean {
    let chosen: Peer | undefined;
    for (const peer of strangers) {
      if (peer.leaving || !isMeant(peer)) continue;
      if (peer.calls === 0) {
        chosen = peer;
        break;
      }
      chosen ??= peer;
    }
    if (chosen === undefined) return false;
    onEvent('evicted');
    remove(chosen);
    return true;
  }

  function remove(peer: Peer): void {
    peer.leaving = true;
    forget(peer);
    peer.socket.destroy();
  }

  function forget(peer: Peer): void {
    if (!peers.delete(peer)) return;
    strangers.delete(peer);
    const left = (ofAddress.get(peer.address) ?? 0) - 1;
    if (left > 0) ofAddress.set(peer.address, left);
    else ofAddress.delete(peer.address);
  }

  function hasRoom(address: string): boolean {
    const sameAddress = (peer: Peer) => peer.address === address;
    const sameStrangers = [...strangers].filter(sameAddress).length;
    const total = ofAddress.get(address) ?? 0;
    if (total >= bounds.maxConnectionsPerAddress || sameStrangers >= maxStrangersPerAddress) {
      if (!evict(sameAddress)) return false;
    }
    if (peers.size >= bounds.maxConnections || strangers.size >= bounds.maxStrangers) {
      return evict(() => true);
    }
    return true;
  }

  /** Takes what a peer has sent since the last time from what it may send; false where that was too much. */
  function keepsToItsBytes({ allowance, standing, socket: { bytesRead } }: Peer, nowMs: number): boolean {
    if (standing === 'part') return true;
    const { burst, perSecond } = otherBytes[standing];
    const regained = ((nowMs - allowance.atMs) / 1_000) * perSecond;
    const sent = bytesRead - allowance.bytesRead - allowance.messageBytes;
    const left = Math.min(burst, allowance.left + regained) - sent;
    Object.assign(allowance, { left, bytesRead, messageBytes: 0, atMs: nowMs });
    return left >= 0;
  }

  function strike({ address }: Peer): void {
    onEvent('misbehaved');
    const nowMs = clock();
    const known = struck.get(address) ?? { times: [], refusedUntilMs: 0 };
    known.times = [...known.times.filter((time) => time > nowMs - strikes.withinMs), nowMs];
    if (known.times.length >= strikes.most) {
      known.refusedUntilMs = nowMs + strikes.refusedMs;
      known.times = [];
    }
    if (struck.size < strikes.addressesKept) struck.set(address, known);
  }

  const sweep = setInterval(() => {
    const nowMs = clock();
    for (const peer of peers) {
      if (keepsToItsBytes(peer, nowMs)) continue;
      strike(peer);
      remove(peer);
    }
    for (const peer of strangers) {
      if (peer.calls > 0 || nowMs - peer.idleSinceMs < bounds.strangerIdleMs) continue;
      onEvent('idle');
      remove(peer);
    }
    for (const [address, { left, atMs }] of unknown) {
      if (left + ((nowMs - atMs) / 1_000) * unknownCalls.perSecond >= unknownCalls.burst)
        unknown.delete(address);
    }
    for (const [address, { times, refusedUntilMs }] of struck) {
      if (refusedUntilMs < nowMs && (times.at(-1) ?? 0) + strikes.withinMs < nowMs) struck.delete(address);
    }
  }, sweepMs);
  sweep.unref();

  return {
    admit(socket) {
      const address = networkOf(socket.remoteAddress);
      if ((struck.get(address)?.refusedUntilMs ?? 0) > clock()) {
        onEvent('refused_address');
        return undefined;
      }
      if (!hasRoom(address)) {
        onEvent('refused_full');
        return undefined;
      }
      const peer: Peer = {
        address,
        socket,
        standing: 'stranger',
        calls: 0,
        idleSinceMs: clock(),
        leaving: false,
        allowance: { left: otherBytes.stranger.burst, bytesRead: 0, messageBytes: 0, atMs: clock() },
      };
      peers.add(peer);
      strangers.add(peer);
      ofAddress.set(address, (ofAddress.get(address) ?? 0) + 1);
      socket.once('close', () => forget(peer));
      return peer;
    },
    raise(peer, standing) {
      peer.standing = standing;
      if (standing === 'caller') peer.allowance.left = otherBytes.caller.burst;
      strangers.delete(peer);
    },
    strike,
    mayCallUnknown({ address }) {
      const nowMs = clock();
      const known = unknown.get(address) ?? { left: unknownCalls.burst, atMs: nowMs };
      const regained = ((nowMs - known.atMs) / 1_000) * unknownCalls.perSecond;
      const left = Math.min(unknownCalls.burst, known.left + regained) - 1;
      if (unknown.size < strikes.addressesKept || unknown.has(address)) {
        unknown.set(address, { left: Math.max(0, left), atMs: nowMs });
      }
      return left >= 0;
    },
    count: (standing) => [...peers].filter((peer) => peer.standing === standing).length,
    close: () => clearInterval(sweep),
  };
}
