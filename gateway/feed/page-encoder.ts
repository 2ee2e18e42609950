import type { FastifyRequest } from 'fastify';
import { acceptedEncoding, type CompressedEncoding, type Encoding } from '../encoding/accept-encoding.ts';
import { type Compressor, smallAnswerBytes } from '../encoding/compressor.ts';
import type { PageAnswers } from './page-answers.ts';
import type { KeptPage, PageCache } from './page-cache.ts';

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
