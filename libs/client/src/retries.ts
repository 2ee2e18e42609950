import { pauseAsClient } from './call-options.ts';
import { ProblemError } from './problem-error.ts';
import { TransportError } from './transport-error.ts';

/**
 * How a request may be repeated. `safe`: a second time changes nothing, whatever became of the first (reads; pushes and
 * removals that name the version they start from). `careful`: it could undo what somebody else did in between (pushes
 * and removals without a base). `never`: it costs money each time (questions).
 */
export type Repeats = 'safe' | 'careful' | 'never';

/** Why a request failed, as far as repeating it is concerned. */
type Failure = 'limit' | 'outage' | 'no_answer' | 'final';

/** What may be sent again. Nothing else is. */
const maySendAgain: Record<Repeats, Record<Failure, boolean>> = {
  // A request over a limit per minute was refused whole, so sending it again is always safe.
  safe: { limit: true, outage: true, no_answer: true, final: false },
  careful: { limit: true, outage: false, no_answer: false, final: false },
  never: { limit: false, outage: false, no_answer: false, final: false },
};

/** Statuses of an outage, whether this service or a proxy answered with them. */
const outageStatuses: ReadonlySet<number | undefined> = new Set([500, 502, 503, 504]);

/** The first wait after a failure; each failure in a row doubles it. */
const firstDelayMs = 500;
/** Longest wait that this client chooses by itself. */
const maxDelayMs = 30_000;

/** What a client does about failures that may pass. */
export interface RetryPolicy {
  /** How often a request may be sent again. */
  retries: number;
  /** If an answer asks for a longer wait, its error is thrown at once. */
  maxRetryWaitMs: number;
  /** False leaves the wait for a limit per minute to the caller. */
  retryLimited: boolean;
  onRetry: ((retry: Retry) => void) | undefined;
}

/** A failure after which a request is sent again. */
export interface Retry {
  error: ProblemError | TransportError;
  /** The wait before the request is sent again, in milliseconds. */
  waitMs: number;
  /** 1 for the first repetition. */
  attempt: number;
}

/**
 * Runs `send` until it succeeds or the table says no more. Throws its last error, or TransportError `cancelled` if the
 * signal aborts during a wait.
 */
export async function withRetries<Result>(
  send: () => Promise<Result>,
  repeats: Repeats,
  { retries, maxRetryWaitMs, retryLimited, onRetry }: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isClientError(error) || attempt > retries) throw error;
      const failure = failureOf(error);
      if (!maySendAgain[repeats][failure] || (failure === 'limit' && !retryLimited)) throw error;
      const waitMs = retryDelayMs(attempt, error);
      if (waitMs > maxRetryWaitMs) throw error;
      onRetry?.({ error, waitMs, attempt });
      await pauseAsClient(waitMs, signal);
    }
  }
}

/** Tells whether a failure may pass by itself: an outage, a timeout or a limit per minute. */
export function isTemporary(thrown: unknown): boolean {
  return isClientError(thrown) && failureOf(thrown) !== 'final';
}

/**
 * Returns how long to wait before the next attempt, in milliseconds: what the answer asks for, or else a random time
 * that grows with `failures` in a row. The randomness keeps clients from coming back all at once.
 */
export function retryDelayMs(failures: number, thrown: unknown): number {
  const asked = thrown instanceof ProblemError ? thrown.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked * 1000 + Math.random() * firstDelayMs;
  return Math.min(firstDelayMs * 2 ** Math.max(0, failures - 1), maxDelayMs) * (0.5 + Math.random() / 2);
}

function failureOf(error: ProblemError | TransportError): Failure {
  if (error instanceof TransportError) {
    return error.code === 'unreachable' || error.code === 'timed_out' ? 'no_answer' : 'final';
  }
  if (error.code === 'rate_limited') return 'limit';
  return outageStatuses.has(error.status) ? 'outage' : 'final';
}

function isClientError(thrown: unknown): thrown is ProblemError | TransportError {
  return thrown instanceof ProblemError || thrown instanceof TransportError;
}
