import { AppError } from '@teammemory/errors/app-error.ts';
import { createFairQueue } from './fair-queue.ts';

/** Who holds a permit. Only what has a bound need be known of it. */
export interface PermitHolder {
  teamId: string;
  keyId?: string;
  /** Remote address of the connection, which may be a reverse proxy. */
  address?: string;
}

/** How much may be held at once, in the unit of the permits. Without a bound of its own, each may hold all. */
export interface PermitBounds {
  maxInAll: number;
  maxPerAddress?: number;
  maxPerTeam: number;
  maxPerKey?: number;
  /**
   * Whether a holder computes at once. Then only a few permits are granted per turn of the event loop, even if more are
   * free.
   */
  areForWork?: boolean;
  /** Requests that may wait, of all teams and of one, and for how long; more are refused. Without it none waits. */
  waiting?: { max: number; maxPerTeam: number; maxMs: number };
}

/** A weighted semaphore that is fair between teams. */
export interface Permits {
  /**
   * Takes what is free at once, and returns the function that gives it back, which may be called more than once.
   * @throws AppError `unavailable` where it is not free, or others wait for it.
   */
  acquire(holder: PermitHolder, amount?: number): () => void;
  /**
   * Waits until `amount` is free. An amount above a bound is reduced to the bound, so that no request waits forever.
   * @throws AppError `unavailable` if too many requests wait, the time is up or `signal` aborts.
   */
  take(holder: PermitHolder, amount?: number, signal?: AbortSignal): Promise<() => void>;
  /** Returns the amount that is held now. */
  held(): number;
  /** Returns the number of requests that wait. */
  waiting(): number;
}

/** How long holders may compute in one turn of the event loop before everything else gets a turn. */
const turnMs = 8;

interface Waiter {
  holder: PermitHolder;
  amount: number;
  grant(giveBack: () => void): void;
}

/** What is held of the permits, in all and by each address, team and key that has a bound of its own. */
class Held {
  readonly #bounds: PermitBounds;
  /** By the name of a scope; what holds nothing has no entry. */
  readonly #amounts = new Map<string, number>();
  #inAll = 0;

  constructor(bounds: PermitBounds) {
    this.#bounds = bounds;
  }

  inAll(): number {
    return this.#inAll;
  }

  change(holder: PermitHolder, amount: number): void {
    this.#inAll += amount;
    for (const [name] of this.#scopes(holder)) {
      const left = (this.#amounts.get(name) ?? 0) + amount;
      if (left > 0) this.#amounts.set(name, left);
      else this.#amounts.delete(name);
    }
  }

  fitsOwnBounds({ holder, amount }: Waiter): boolean {
    return this.#scopes(holder).every(([name, bound]) => (this.#amounts.get(name) ?? 0) + amount <= bound);
  }

  fitsInAll({ amount }: Waiter): boolean {
    return this.#inAll + amount <= this.#bounds.maxInAll;
  }

  /** What is counted of a holder: without a bound of its own, nothing. */
  #scopes({ address, teamId, keyId }: PermitHolder): (readonly [name: string, bound: number])[] {
    const { maxInAll, maxPerAddress = maxInAll, maxPerTeam, maxPerKey = maxInAll } = this.#bounds;
    const scopes = [
      [`address ${address}`, maxPerAddress],
      [`team ${teamId}`, maxPerTeam],
      [`key ${keyId}`, maxPerKey],
    ] as const;
    return scopes.filter(([, bound]) => bound < maxInAll);
  }
}

/**
 * Creates permits, refused with the public message `refusal`. Written by hand because packages queue without turns between
 * teams, and bound neither what waits nor an address, a team and a key beside all.
 *
 * A request that fits is served at once unless others wait. Waiting teams are served in turn, and the requests of one team
 * in their order. A request that is blocked by the bound of its own address, team or key is overtaken. One that waits for
 * the bound of all is not, so that large requests are not starved.
 */
export function createPermits(bounds: PermitBounds, refusal: string): Permits {
  const { maxInAll, maxPerAddress = maxInAll, maxPerTeam, maxPerKey = maxInAll } = bounds;
  const { areForWork = false, waiting = { max: 0, maxPerTeam: 0, maxMs: 0 } } = bounds;
  const most = Math.min(maxInAll, maxPerAddress, maxPerTeam, maxPerKey);
  const held = new Held(bounds);
  const queue = createFairQueue<Waiter>();
  /** Whether the next turn of the event loop will serve a waiting request. */
  let isServing = false;
  let turnBeganMs = Number.NEGATIVE_INFINITY;

  const isFree = (waiter: Waiter) =>
    queue.size() === 0 && held.fitsInAll(waiter) && held.fitsOwnBounds(waiter);

  function hold({ holder, amount }: Waiter): () => void {
    let isHeld = true;
    held.change(holder, amount);
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held.change(holder, -amount);
      serveAfterOther();
    };
  }

  function serveNext(): void {
    const next = queue.find((waiter) => held.fitsOwnBounds(waiter));
    if (next === undefined || !held.fitsInAll(next)) return;
    queue.take(next.holder.teamId, next);
    next.grant(hold(next));
    serveInNextTurn();
  }

  function serveInNextTurn(): void {
    if (isServing || queue.size() === 0) return;
    isServing = true;
    setImmediate(() => {
      isServing = false;
      turnBeganMs = performance.now();
      serveNext();
    });
  }

  /** Holders may work in memory only, without a turn of the event loop between one and the next. */
  function serveAfterOther(): void {
    if (performance.now() - turnBeganMs < turnMs) serveNext();
    else serveInNextTurn();
  }

  /** At most half of the waiting requests of a team may be of one key. */
  function mayWait({ teamId, keyId }: PermitHolder): boolean {
    const ofTeam = queue.of(teamId);
    const ofKey = ofTeam.filter(({ holder }) => holder.keyId === keyId);
    const isTeamFull = ofTeam.length >= waiting.maxPerTeam;
    return queue.size() < waiting.max && !isTeamFull && ofKey.length < Math.ceil(waiting.maxPerTeam / 2);
  }

  const refused = () => new AppError('unavailable', refusal);

  function wait(waiter: Waiter, signal?: AbortSignal): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const { teamId } = waiter.holder;
    const giveUp = () => {
      queue.leave(teamId, waiter);
      reject(refused());
      // Requests that it blocked may fit now.
      serveInNextTurn();
    };
    const timer = setTimeout(giveUp, waiting.maxMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    waiter.grant = (giveBack) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(giveBack);
    };
    queue.add(teamId, waiter);
    serveInNextTurn();
    return promise;
  }

  return {
    held: () => held.inAll(),
    waiting: queue.size,
    acquire(holder, amount = 1) {
      const waiter = { holder, amount, grant: () => undefined };
      if (!isFree(waiter)) throw refused();
      return hold(waiter);
    },
    async take(holder, wanted = 1, signal) {
      const waiter = { holder, amount: Math.min(wanted, most), grant: () => undefined };
      if (signal?.aborted) throw refused();
      if (!areForWork && isFree(waiter)) return hold(waiter);
      if (!mayWait(holder)) throw refused();
      return wait(waiter, signal);
    },
  };
}
