import { ProblemError } from './problem-error.ts';
import { TransportError } from './transport-error.ts';

/** Statuses of answers that another attempt may not get, whether this service or a proxy gave them. */
const temporaryStatuses: ReadonlySet<number | undefined> = new Set([500, 502, 503, 504]);

/** The first wait after a failure; each failure in a row doubles it. */
const firstDelayMs = 500;
/** Longest wait that this client chooses by itself. */
const maxDelayMs = 30_000;
/** Longest wait that an answer may ask for. */
const maxRetryAfterMs = 5 * 60_000;

/** Tells whether a failure may pass by itself: an outage, a timeout or a limit per minute. */
export function isTemporary(thrown: unknown): boolean {
  if (thrown instanceof TransportError) return thrown.code === 'unreachable' || thrown.code === 'timed_out';
  if (!(thrown instanceof ProblemError)) return false;
  return thrown.code === 'rate_limited' || temporaryStatuses.has(thrown.status);
}

/**
 * Returns how long to wait before the next attempt, in milliseconds: what the answer asks for, or else a random time
 * that grows with `failures` in a row. The randomness keeps clients from coming back all at once.
 */
export function retryDelayMs(failures: number, thrown: unknown): number {
  const asked = thrown instanceof ProblemError ? thrown.retryAfterSeconds : undefined;
  if (asked !== undefined) return Math.min(asked * 1000, maxRetryAfterMs) + Math.random() * firstDelayMs;
  return Math.min(firstDelayMs * 2 ** Math.max(0, failures - 1), maxDelayMs) * (0.5 + Math.random() / 2);
}
