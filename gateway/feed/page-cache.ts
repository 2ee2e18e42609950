import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  acceptedEncoding,
  type CompressedEncoding,
  type Compressor,
  type Encoding,
  smallAnswerBytes,
} from '../encoding/compress-answers.ts';
import type { PageAnswers } from './page-answers.ts';

/** Memory of a page in addition to its bytes: the entry and its name, which has a cursor of up to 256 characters. */
const overheadBytes = 1_024;
/** The share of the memory that one page may take, so that a few large pages do not push out all others. */
const maxShareOfPage = 1 / 8;
/**
 * How long a page is kept. If the primary of MongoDB changes between reading the
 * version and reading the rows, the new primary may lack recent writes. Such a
 * page must not stay until the next write of its team.
 */
const maxAgeMs = 60_000;

/** A page and the version that it was made from. */
export interface KeptPage {
  /** The page is at least as new as this version of the team's items; empty if content gave none. */
  version: string;
  /** The coding of the body. */
  encoding: Encoding;
  /** The whole body, in memory of its own. */
  body: Buffer;
}

/** An LRU cache of pages by name, bounded in bytes. */
export interface PageCache {
  /**
   * Returns the page of a name if its version is still the current one, in the wanted coding or else as it is;
   * `currentVersion` is called only if a page is cached, with the version of that page.
   */
  read(
    name: string,
    encoding: Encoding,
    currentVersion: (kept: string) => Promise<string>,
  ): Promise<KeptPage | undefined>;
  /** Stores a page, replacing the one of that name and coding. */
  keep(name: string, page: KeptPage): void;
}

/** `maxBytes` is for all pages of all teams together; `clock` returns milliseconds that never go back. */
export function createPageCache(dependencies: {
  maxBytes: number;
  clock: () => number;
  metrics: Metrics;
}): PageCache {
  const { maxBytes, clock, metrics } = dependencies;
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes * maxShareOfPage),
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now: clock },
    sizeCalculation: ({ body }) => body.length + overheadBytes,
  });
  metrics.gauge('teammemory_page_cache_bytes', () => pages.calculatedSize);
  const raiseHits = metrics.counter('teammemory_page_cache_hits_total');
  const raiseMisses = metrics.counter('teammemory_page_cache_misses_total');

  return {
    async read(name, encoding, currentVersion) {
      for (const wanted of encoding === 'identity' ? [encoding] : [encoding, 'identity' as const]) {
        const kept = pages.get(keyOf(name, wanted));
        if (kept === undefined || kept.version !== (await currentVersion(kept.version))) continue;
        raiseHits();
        return kept;
      }
      raiseMisses();
      return undefined;
    },
    keep(name, page) {
      // Without a version, nobody could tell whether the page is still current.
      if (page.version !== '') pages.set(keyOf(name, page.encoding), page);
    },
  };
}

/** Each coding of a page is an entry of its own, so one that nobody reads makes room. */
function keyOf(name: string, encoding: Encoding): string {
  return `${encoding} ${name}`;
}

/** Compresses pages once for all their readers. */
export interface PageEncoder {
  /** Returns the coding in which a reader would have a page. */
  encodingFor(request: FastifyRequest): Encoding;
  /**
   * Returns a page in the coding that its reader accepts, and caches it; as it is, if it is small or too much waits to be
   * compressed.
   * @throws AppError `unavailable` if the reader's turn does not come in time.
   */
  encode(request: FastifyRequest, name: string, page: KeptPage): Promise<KeptPage>;
}

/** Creates the encoder of one gateway. */
export function createPageEncoder(dependencies: {
  compressor: Compressor;
  pages: PageCache;
  answers: PageAnswers;
}): PageEncoder {
  const { compressor, pages, answers } = dependencies;
  /** By the body that is compressed: two readers who ask at once share the work, whoever they are. */
  const underWay = new Map<CompressedEncoding, Map<Buffer, Promise<KeptPage>>>();

  async function compress(name: string, page: KeptPage, encoding: CompressedEncoding): Promise<KeptPage> {
    const body = await compressor.compress(encoding, page.body).catch(() => undefined);
    if (body === undefined) return page;
    const compressed = { version: page.version, encoding, body };
    pages.keep(name, compressed);
    return compressed;
  }

  return {
    encodingFor: ({ method, headers }) =>
      method === 'HEAD' ? 'identity' : acceptedEncoding(headers['accept-encoding']).encoding,
    async encode(request, name, page) {
      if (page.encoding !== 'identity' || request.method === 'HEAD') return page;
      const { encoding, identity } = acceptedEncoding(request.headers['accept-encoding']);
      if (encoding === 'identity' || (identity && page.body.length <= smallAnswerBytes)) return page;
      const sharing = underWay.getOrInsertComputed(encoding, () => new Map());
      return sharing.getOrInsertComputed(page.body, () =>
        answers.make(request, () => compress(name, page, encoding)).finally(() => sharing.delete(page.body)),
      );
    },
  };
}
