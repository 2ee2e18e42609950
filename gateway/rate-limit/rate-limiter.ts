/** Slots held for one request until it is known how many it used. */
export interface Reservation {
  /** Keeps `used` of the slots for a whole window from now and gives the others back. */
  settle(used: number): Promise<void>;
}

/** What a limit looks like to one key, for headers. */
export interface Quota {
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Whole seconds until more is free; 0 when nothing is used. */
  resetSeconds: number;
}

/** Counts writes per key. */
export interface RateLimiter {
  /**
   * Holds `count` slots, all or none. Refused: `retryAfterSeconds` says when so
   * many would be free, if nobody else took them; for a count above the whole
   * limit, when the window is empty.
   */
  reserve(key: string, count: number): Promise<Reservation | { retryAfterSeconds: number }>;
  quota(key: string): Promise<Quota>;
}
