/** Length of the window (docs/contract.md, "Push items"); only tests take another. */
export const minuteMs = 60_000;
/** Keys remembered before those without a slot are forgotten, and then again whenever they have doubled. */
const sweepAboveKeys = 10_000;
/** Stamps kept of one key: above this limit, slots share stamps, each up to a thousandth of the window late. */
const maxStamps = 1_000;

/** What this process admitted, per key, in the window that ends now. */
export interface WindowLedger {
  /** Counts slots of a request under way. */
  hold(key: string, count: number): void;
  /**
   * Ends a hold: `used` of its slots count for a whole window from now, the others no more. `limit` is that of the key,
   * if it has one of its own.
   */
  settle(key: string, count: number, used: number, limit?: number): void;
  /** Slots held and used. */
  taken(key: string): number;
  /** Milliseconds until `count` slots of `limit` are free, if what is held now is used. */
  msUntilFree(key: string, count: number, limit: number): number;
  /** What is kept, after keys without a slot are forgotten: for tests of its bounds. */
  size(): { keys: number; stamps: number };
  readonly windowMs: number;
}

/** The milliseconds that stamps are rounded up to, so that no key has more than `maxStamps`; 0: they are not. */
export function stampGrainMs(limit: number, windowMs: number): number {
  return limit <= maxStamps ? 0 : Math.ceil(windowMs / maxStamps);
}

interface KeyUse {
  held: number;
  /** Slots used, oldest first; each counts until a window after `atMs`. */
  used: { atMs: number; count: number }[];
  /** Sum of `used`. */
  usedSlots: number;
}

/**
 * Keeps what was admitted for a rolling window. Slots are held while a request
 * runs and stamped when it ends, so that the window is exact at the moment of
 * the write too, not only at that of the admission. Stamps are rounded up, so
 * that rounding never shortens a window.
 *
 * `clock` returns milliseconds that never go back; `limit` is the most that will be admitted of a key without a limit
 * of its own.
 */
export function createWindowLedger(options: {
  clock: () => number;
  limit: number;
  windowMs?: number;
}): WindowLedger {
  const { clock, limit, windowMs = minuteMs } = options;
  const keys = new Map<string, KeyUse>();
  let sweepAt = sweepAboveKeys;

  function useOf(key: string): KeyUse {
    let use = keys.get(key);
    if (use === undefined) {
      if (keys.size >= sweepAt) sweep();
      use = { held: 0, used: [], usedSlots: 0 };
      keys.set(key, use);
    }
    forgetOld(use);
    return use;
  }

  function forgetOld(use: KeyUse): void {
    const oldestMs = clock() - windowMs;
    let passed = 0;
    while ((use.used[passed]?.atMs ?? Number.POSITIVE_INFINITY) <= oldestMs) passed += 1;
    for (const { count } of use.used.splice(0, passed)) use.usedSlots -= count;
  }

  function sweep(): void {
    for (const [key, use] of keys) {
      forgetOld(use);
      if (use.held === 0 && use.used.length === 0) keys.delete(key);
    }
    sweepAt = Math.max(sweepAboveKeys, 2 * keys.size);
  }

  function stamp(use: KeyUse, count: number, grainMs: number): void {
    const atMs = grainMs === 0 ? clock() : Math.ceil(clock() / grainMs) * grainMs;
    const last = use.used.at(-1);
    if (last?.atMs === atMs) last.count += count;
    else use.used.push({ atMs, count });
    use.usedSlots += count;
  }

  return {
    windowMs,
    hold(key, count) {
      useOf(key).held += count;
    },
    settle(key, count, used, ownLimit = limit) {
      const use = useOf(key);
      use.held -= count;
      if (used > 0) stamp(use, Math.min(used, count), stampGrainMs(ownLimit, windowMs));
    },
    taken(key) {
      const use = useOf(key);
      return use.held + use.usedSlots;
    },
    msUntilFree(key, count, cap) {
      const use = useOf(key);
      let free = cap - use.held - use.usedSlots;
      if (free >= count) return 0;
      for (const { atMs, count: slots } of use.used) {
        free += slots;
        if (free >= count) return atMs + windowMs - clock();
      }
      return windowMs;
    },
    size() {
      sweep();
      return { keys: keys.size, stamps: keys.values().reduce((sum, { used }) => sum + used.length, 0) };
    },
  };
}
