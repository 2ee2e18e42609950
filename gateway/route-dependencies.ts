import type { Permits } from '@teammemory/admission/permits.ts';
import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Callers } from './caller.ts';
import type { Clients } from './clients.ts';
import type { Compressor } from './encoding/compress-answers.ts';
import type { ChangeWatch } from './events/change-watch.ts';
import type { PageAnswers } from './feed/page-answers.ts';
import type { PageCache } from './feed/page-cache.ts';
import type { Refusals } from './refusals/refusals.ts';

/** The dependencies of the routes of all nouns. */
export interface RouteDependencies {
  clients: Clients;
  /** Cached pages of items. */
  pages: PageCache;
  /** Compresses answers. */
  compressor: Compressor;
  /** Makes and sends pages of feeds within bounds. */
  answers: PageAnswers;
  /** Item writes per key. */
  itemWrites: RateLimiter;
  /** Questions per key. */
  questions: RateLimiter;
  /** Notes what members are refused. */
  refusals: Refusals;
  /** Searches for passages per key. */
  searches: RateLimiter;
  /** Codebase scans per key. */
  scans: RateLimiter;
  /** Maturity snapshots per key. */
  snapshots: RateLimiter;
  /** Sign-in links per key. */
  signInLinks: RateLimiter;
  /** Aborts when the gateway closes and the grace time of streams is over; they send an error and end. */
  overdue: AbortSignal;
  openAnswer: Permits['acquire'];
  /** Aborts when the gateway begins to close; streams of changes end. */
  closing: AbortSignal;
  /** Tells streams of changes when a list changed. */
  changes: ChangeWatch;
  /** One permit for each open stream of changes. */
  changeStreams: Permits;
  /** Says during a stream whether its key is still valid. */
  callers: Callers;
  /** For faults whose details the caller must not see. */
  log: Log;
}
