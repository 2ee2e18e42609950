/** Length of a window unless told otherwise (docs/contract.md, "Push items"). */
export const minuteMs = 60_000;
/** Keys remembered before those without a slot are forgotten, and then again whenever they have doubled. */
const sweepAboveKeys = 10_000;
/** Stamps kept of one key: above this limit, slots share stamps, each up to a thousandth of the window late. */
const maxStamps = 1_000;

/** What a limit looks like to one key, for headers. */
export interface Quota {
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Whole seconds until more is free; 0 when nothing is used. */
  resetSeconds: number;
}

/** Slots held for one request until it is known how many it used. */
export interface Reservation {
  /** With the slots held. */
  quota: Quota;
  /** Keeps `used` of the slots for a whole window from now and gives the others back. */
  settle(used: number): Promise<Quota>;
}

/** The refusal of a request that does not fit. */
export interface Refusal {
  /**
   * When so many slots would be free, if nobody else took them; for a count above
   * the whole limit, when the window is empty.
   */
  retryAfterSeconds: number;
  quota: Quota;
}

/**
 * Counts slots per key, here or for several processes in Redis; there each method is one round trip. `ownLimit` is the
 * limit of a key that has one of its own.
 */
export interface RateLimiter {
  /** Slots per window of a key without a limit of its own. */
  readonly limit: number;
  /** Holds `count` slots, all or none. */
  reserve(key: string, count: number, ownLimit?: number): Promise<Reservation | Refusal>;
  quota(key: string, ownLimit?: number): Promise<Quota>;
}

/** A window of this process, which also answers at once. */
export interface RollingWindow extends RateLimiter {
  /** Uses a slot if one is free; returns the milliseconds until one will be, 0 if it was. */
  take(key: string, ownLimit?: number): number;
  /** Uses slots, even such as are not free. */
  use(key: string, count: number): void;
  /** Returns the milliseconds until `count` slots are free; slots that are held now count as used. */
  msUntilFree(key: string, count: number, ownLimit?: number): number;
  /** Returns what is kept, after keys without a slot are forgotten: for tests of its bounds. */
  size(): { keys: number; stamps: number };
}

/** The milliseconds that stamps are rounded up to, so that no key has more than `maxStamps`; 0: they are not. */
export function stampGrainMs(limit: number, windowMs: number): number {
  return limit <= maxStamps ? 0 : Math.ceil(windowMs / maxStamps);
}

/** The slots of one key. */
class KeySlots {
  readonly #clock: () => number;
  readonly #windowMs: number;
  /** Slots used, oldest first; each counts until a window after `atMs`. */
  readonly #used: { atMs: number; count: number }[] = [];
  /** Sum of `#used`. */
  #usedSlots = 0;
  /** Slots held by requests that run. */
  held = 0;

  constructor(clock: () => number, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** Slots that count now. */
  taken(): number {
    this.#forgetOld();
    return this.held + this.#usedSlots;
  }

  stamps(): number {
    return this.#used.length;
  }

  /** Uses slots from now on, with stamps rounded up to `grainMs`. */
  stamp(count: number, grainMs: number): void {
    this.#forgetOld();
    const nowMs = this.#clock();
    const atMs = grainMs === 0 ? nowMs : Math.ceil(nowMs / grainMs) * grainMs;
    const last = this.#used.at(-1);
    if (last?.atMs === atMs) last.count += count;
    else this.#used.push({ atMs, count });
    this.#usedSlots += count;
  }

  msUntilFree(count: number, limit: number): number {
    let free = limit - this.taken();
    if (free >= count) return 0;
    for (const { atMs, count: slots } of this.#used) {
      free += slots;
      if (free >= count) return Math.max(0, atMs + this.#windowMs - this.#clock());
    }
    return this.#windowMs;
  }

  #forgetOld(): void {
    const oldestMs = this.#clock() - this.#windowMs;
    let passed = 0;
    while ((this.#used[passed]?.atMs ?? Number.POSITIVE_INFINITY) <= oldestMs) passed += 1;
    for (const { count } of this.#used.splice(0, passed)) this.#usedSlots -= count;
  }
}

/**
 * Creates an exact rolling window in memory, right for one process: no 60 seconds, wherever they begin, admit more than the
 * limit. Slots are held while a request runs and stamped when it ends, so that the window is exact at the moment of the
 * write too, not only at that of the admission. Stamps are rounded up, so that rounding never shortens a window.
 *
 * `clock` returns milliseconds that never go back; with a `grainMs` stamps are rounded to it, to keep fewer of a key.
 */
export function createRollingWindow(options: {
  clock: () => number;
  /** Slots per window of a key without a limit of its own. */
  limit: number;
  windowMs?: number;
  grainMs?: number;
}): RollingWindow {
  const { clock, limit: ofAllKeys, windowMs = minuteMs, grainMs: leastGrainMs = 0 } = options;
  const keys = new Map<string, KeySlots>();
  let sweepAt = sweepAboveKeys;

  function slotsOf(key: string): KeySlots {
    if (!keys.has(key) && keys.size >= sweepAt) sweep();
    return keys.getOrInsertComputed(key, () => new KeySlots(clock, windowMs));
  }

  function sweep(): void {
    for (const [key, slots] of keys) if (slots.taken() === 0) keys.delete(key);
    sweepAt = Math.max(sweepAboveKeys, 2 * keys.size);
  }

  const stamp = (key: string, count: number, limit: number) =>
    slotsOf(key).stamp(count, Math.max(leastGrainMs, stampGrainMs(limit, windowMs)));

  function quotaOf(key: string, limit: number): Quota {
    const slots = slotsOf(key);
    const taken = slots.taken();
    const remaining = Math.max(0, limit - taken);
    return {
      limit,
      windowSeconds: wholeSeconds(windowMs),
      remaining,
      resetSeconds: taken === 0 ? 0 : wholeSeconds(slots.msUntilFree(remaining + 1, limit)),
    };
  }

  return {
    limit: ofAllKeys,
    async reserve(key, count, limit = ofAllKeys) {
      const waitMs = slotsOf(key).msUntilFree(count, limit);
      if (waitMs > 0) {
        return { retryAfterSeconds: Math.max(1, wholeSeconds(waitMs)), quota: quotaOf(key, limit) };
      }
      slotsOf(key).held += count;
      return {
        quota: quotaOf(key, limit),
        async settle(used) {
          slotsOf(key).held -= count;
          if (used > 0) stamp(key, Math.min(used, count), limit);
          return quotaOf(key, limit);
        },
      };
    },
    quota: async (key, limit = ofAllKeys) => quotaOf(key, limit),
    take(key, limit = ofAllKeys) {
      const waitMs = slotsOf(key).msUntilFree(1, limit);
      if (waitMs === 0) stamp(key, 1, limit);
      return waitMs;
    },
    use: (key, count) => stamp(key, count, ofAllKeys),
    msUntilFree: (key, count, limit = ofAllKeys) => slotsOf(key).msUntilFree(count, limit),
    size() {
      sweep();
      return { keys: keys.size, stamps: keys.values().reduce((sum, slots) => sum + slots.stamps(), 0) };
    },
  };
}

/** Returns whole seconds, rounded up. */
function wholeSeconds(milliseconds: number): number {
  // Sums of fractions leave a rest far below a microsecond, which must not become a second of its own.
  return Math.ceil(Math.round(milliseconds * 1000) / 1_000_000);
}
