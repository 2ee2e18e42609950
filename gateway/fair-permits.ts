import { AppError } from '@teammemory/errors/app-error.ts';

/** Who asks for a permit. */
export interface PermitHolder {
  teamId: string;
  keyId: string;
  /** Remote address of the connection: of a reverse proxy, where one stands before the gateway. */
  address: string;
}

/** How much may be held at once, in the unit of the permits, and how many requests may wait. */
export interface PermitBounds {
  inAll: number;
  perAddress: number;
  perTeam: number;
  perKey: number;
  /** Whether who gets one computes at once; such permits are given a few in a turn of the event loop, also while they are free. */
  areForWork: boolean;
  /** Requests that wait at once, of all teams; one more is refused. */
  maxWaiting: number;
  /** Of these, of one team. */
  maxWaitingPerTeam: number;
  /** A request that has waited so long is refused. */
  waitMs: number;
}

/** Permits for amounts of something, given out to the teams in turn. */
export interface FairPermits {
  /**
   * Waits until `amount` is free and returns the function that gives it back, which may be called more than once.
   * An amount above a bound is taken as that bound, so that no request waits for what cannot be.
   * @throws AppError `unavailable` when too many wait, the time is up or `signal` aborts.
   */
  take(holder: PermitHolder, amount: number, signal?: AbortSignal): Promise<() => void>;
  /** What is held at this moment. */
  held(): number;
  /** Requests that wait. */
  waiting(): number;
}

/** How long those who were given permits may compute in one turn before everybody else gets one. */
const turnMs = 8;

interface Waiter {
  holder: PermitHolder;
  amount: number;
  grant(giveBack: () => void): void;
}

/**
 * Makes permits. A request that fits is served at once unless others wait; the
 * teams that wait are served in turn, the requests of one team in their order. A
 * request that meets the bound of its own address, team or key lets others pass;
 * one that waits for room in all does not, so that large ones get their turn.
 */
export function createFairPermits(bounds: PermitBounds, refusal: string): FairPermits {
  const held = new Map<string, number>();
  /** Requests that wait, by team; the team at the front is the next one. */
  const queues = new Map<string, Waiter[]>();
  let inAll = 0;
  let waiting = 0;
  /** Whether one that waits is looked for in the next turn of the event loop. */
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
    // To the back of the turn.
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

  /** What those who are served do may all be in memory, and no turn of the event loop between one and the next. */
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

  /** Of those who wait of one team, half may be of one key. */
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
        // What it kept others from may fit now.
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
