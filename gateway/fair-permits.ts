import { AppError } from '@teammemory/errors/app-error.ts';

/** The request that holds a permit. */
export interface PermitHolder {
  teamId: string;
  keyId: string;
  /** Remote address of the connection, which may be a reverse proxy. */
  address: string;
}

/** How much may be held at once, in the unit of the permits, and how many requests may wait. */
export interface PermitBounds {
  inAll: number;
  perAddress: number;
  perTeam: number;
  perKey: number;
  /** Whether a holder computes at once. Then only a few permits are granted per turn of the event loop, even if more are free. */
  areForWork: boolean;
  /** Requests of all teams that may wait; more are refused. */
  maxWaiting: number;
  /** Requests of one team that may wait. */
  maxWaitingPerTeam: number;
  /** A request that waits longer is refused. */
  waitMs: number;
}

/**
 * A weighted semaphore that is fair between teams. It is written by hand because it combines bounds per address, team and
 * key with turns between teams.
 */
export interface FairPermits {
  /**
   * Waits until `amount` is free and returns the function that releases it, which may be called more than once.
   * An amount above a bound is reduced to the bound, so that no request waits forever.
   * @throws AppError `unavailable` if too many requests wait, the time is up or `signal` aborts.
   */
  take(holder: PermitHolder, amount: number, signal?: AbortSignal): Promise<() => void>;
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

/**
 * Creates permits. A request that fits is served at once unless others wait.
 * Waiting teams are served in turn, and the requests of one team in their order. A
 * request that is blocked by the bound of its own address, team or key is
 * overtaken. One that waits for the bound of all is not, so that large requests
 * are not starved.
 */
export function createFairPermits(bounds: PermitBounds, refusal: string): FairPermits {
  const held = new Map<string, number>();
  /** Waiting requests by team; the first team is next. */
  const queues = new Map<string, Waiter[]>();
  let inAll = 0;
  let waiting = 0;
  /** Whether the next turn of the event loop will serve a waiting request. */
  let isServing = false;
  let turnBeganMs = Number.NEGATIVE_INFINITY;

  const scopes = ({ address, teamId, keyId }: PermitHolder): [name: string, bound: number][] => [
    [`address ${address}`, bounds.perAddress],
    [`team ${teamId}`, bounds.perTeam],
    [`key ${keyId}`, bounds.perKey],
  ];

  function change(holder: PermitHolder, amount: number): void {
    inAll += amount;
    for (const [name] of scopes(holder)) {
      const left = (held.get(name) ?? 0) + amount;
      if (left > 0) held.set(name, left);
      else held.delete(name);
    }
  }

  const fitsOwnBounds = ({ holder, amount }: Waiter) =>
    scopes(holder).every(([name, bound]) => (held.get(name) ?? 0) + amount <= bound);

  function serve(waiter: Waiter): void {
    let given = true;
    change(waiter.holder, waiter.amount);
    waiter.grant(() => {
      if (!given) return;
      given = false;
      change(waiter.holder, -waiter.amount);
      serveAfterOther();
    });
  }

  function leave(waiter: Waiter): void {
    const queue = queues.get(waiter.holder.teamId) ?? [];
    const index = queue.indexOf(waiter);
    if (index < 0) return;
    queue.splice(index, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(waiter.holder.teamId);
  }

  function serveNext(): void {
    const next = nextWaiter();
    if (next === undefined || inAll + next.amount > bounds.inAll) return;
    const { teamId } = next.holder;
    leave(next);
    // The team moves to the end of the queue.
    const rest = queues.get(teamId);
    if (rest !== undefined) {
      queues.delete(teamId);
      queues.set(teamId, rest);
    }
    serve(next);
    serveInNextTurn();
  }

  function serveInNextTurn(): void {
    if (isServing || queues.size === 0) return;
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

  function nextWaiter(): Waiter | undefined {
    for (const queue of queues.values()) {
      const found = queue.find(fitsOwnBounds);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** At most half of the waiting requests of a team may be of one key. */
  function mayWait({ teamId, keyId }: PermitHolder): boolean {
    const ofTeam = queues.get(teamId) ?? [];
    const ofKey = ofTeam.filter(({ holder }) => holder.keyId === keyId);
    const max = bounds.maxWaitingPerTeam;
    return waiting < bounds.maxWaiting && ofTeam.length < max && ofKey.length < Math.ceil(max / 2);
  }

  const refused = () => new AppError('unavailable', refusal);

  return {
    held: () => inAll,
    waiting: () => waiting,
    take(holder, wanted, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const most = Math.min(bounds.inAll, bounds.perAddress, bounds.perTeam, bounds.perKey);
      const waiter: Waiter = { holder, amount: Math.min(wanted, most), grant: resolve };
      if (signal?.aborted) return Promise.reject(refused());
      const mustWait =
        bounds.areForWork ||
        queues.size > 0 ||
        inAll + waiter.amount > bounds.inAll ||
        !fitsOwnBounds(waiter);
      if (!mustWait) {
        serve(waiter);
        return promise;
      }
      if (!mayWait(holder)) return Promise.reject(refused());
      const giveUp = () => {
        leave(waiter);
        reject(refused());
        // Requests that it blocked may fit now.
        serveInNextTurn();
      };
      const timer = setTimeout(giveUp, bounds.waitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      waiter.grant = (giveBack) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(giveBack);
      };
      queues.getOrInsert(holder.teamId, []).push(waiter);
      waiting += 1;
      serveInNextTurn();
      return promise;
    },
  };
}
