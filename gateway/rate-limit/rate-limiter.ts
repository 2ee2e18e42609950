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
 * Counts writes per key. Each method is one round trip where limits are counted in Redis. `ownLimit` is the limit of a key
 * that has one of its own.
 */
export interface RateLimiter {
  /** Slots per window of a key without a limit of its own. */
  readonly limit: number;
  /** Holds `count` slots, all or none. */
  reserve(key: string, count: number, ownLimit?: number): Promise<Reservation | Refusal>;
  quota(key: string, ownLimit?: number): Promise<Quota>;
}

/** Returns whole seconds, rounded up. */
export function wholeSeconds(milliseconds: number): number {
  // Sums of fractions leave a rest far below a microsecond, which must not become a second of its own.
  return Math.ceil(Math.round(milliseconds * 1000) / 1_000_000);
}
