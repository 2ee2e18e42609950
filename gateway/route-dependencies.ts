import type { AcquirePermit } from '@teammemory/async/concurrency-limit.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Clients } from './clients.ts';
import type { PageAnswers } from './feed/page-answers.ts';
import type { PageCache } from './feed/page-cache.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';

/** What routes are made from. */
export interface RouteDependencies {
  clients: Clients;
  /** Pages of items that were answered before. */
  pages: PageCache;
  /** Makes and sends pages of lists. */
  answers: PageAnswers;
  /** Item writes per key. */
  itemWrites: RateLimiter;
  /** Questions per key. */
  questions: RateLimiter;
  /** Codebase scans per key. */
  scans: RateLimiter;
  /** Maturity snapshots per key. */
  snapshots: RateLimiter;
  /** Aborts when the gateway closes and streams have had their time: their readers are told, and they end. */
  overdue: AbortSignal;
  openAnswer: AcquirePermit;
  /** For faults of which the caller learns only that there was one. */
  log: Log;
}
