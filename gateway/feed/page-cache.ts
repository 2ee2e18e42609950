import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { LRUCache } from 'lru-cache';

/** What a page costs beside its bytes: its name, whose cursor has at most 256 characters, and the entry. */
const overheadBytes = 1_024;
/** The part of the memory that one page may take: a few large ones must not push out all the others. */
const largestShare = 1 / 8;
/**
 * How long a page is kept. When the primary of MongoDB changes between the two
 * reads that tell the version of a page and its rows, the new one may not know
 * yet what the old one did: such a page must not stay as long as its team rests.
 */
const keptMaxMs = 60_000;

/** An answer and what it was made of. */
export interface KeptPage {
  /** The version of the team's items that it is no older than; empty where none was told. */
  version: string;
  /** The whole body, in memory of its own. */
  body: Buffer;
}

/** Pages by what was asked for, within a bound of bytes; the ones not used for longest go first. */
export interface PageCache {
  /**
   * The page of a name, if it is still the present one; `presentVersion` is
   * asked only where there is a page.
   */
  read(name: string, presentVersion: () => Promise<string>): Promise<Buffer | undefined>;
  /** Keeps a page in place of the one of that name. */
  keep(name: string, page: KeptPage): void;
}

/** `maxBytes` is for all pages of all teams together; `clock` answers milliseconds that never go back. */
export function createPageCache(options: {
  maxBytes: number;
  clock: () => number;
  metrics: Metrics;
}): PageCache {
  const { maxBytes, clock, metrics } = options;
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes * largestShare),
    ttl: keptMaxMs,
    ttlResolution: 0,
    perf: { now: clock },
    sizeCalculation: ({ body }) => body.length + overheadBytes,
  });
  metrics.gauge('page_cache_bytes', 'Memory of the pages that are kept.', () => pages.calculatedSize);
  const raiseHits = metrics.counter('page_cache_hits_total', 'Pages answered from memory.');
  const raiseMisses = metrics.counter(
    'page_cache_misses_total',
    'Pages that content was asked for: not kept, or no longer the present ones.',
  );

  return {
    async read(name, presentVersion) {
      const kept = pages.get(name);
      if (kept === undefined || kept.version !== (await presentVersion())) {
        raiseMisses();
        return undefined;
      }
      raiseHits();
      return kept.body;
    },
    keep(name, page) {
      // Of two pages without a version nobody could say whether one is still the other.
      if (page.version !== '') pages.set(name, page);
    },
  };
}
