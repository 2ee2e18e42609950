import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocsPage, DocsRequest } from './render-docs.ts';

/** The path of the page's script. */
export const docsScriptPath = '/docs/scalar.js';
/** Rendering takes half a second, several times that on a busy machine. */
const renderTimeoutMs = 30_000;

/** The page, with its script as the same buffer each time: answers that are known to be the same are compressed once. */
type RenderedDocs = Omit<DocsPage, 'script'> & { script: Buffer };

/**
 * GET /docs, a page that shows the OpenAPI document, and its script. Both are
 * rendered on first use, because the script has 4 MB. The script is Scalar's. The
 * Content-Security-Policy restricts it to this service: it can load and send
 * nothing elsewhere, including keys that were typed in.
 */
export function docsPages(documentPath: string) {
  let page: Promise<RenderedDocs> | undefined;
  const rendered = () => {
    page ??= renderPage(documentPath).catch((error: unknown) => {
      page = undefined;
      throw error;
    });
    return page;
  };
  return {
    async showDocs(_request: FastifyRequest, reply: FastifyReply) {
      const { html, contentSecurityPolicy } = await rendered();
      return reply
        .header('content-security-policy', contentSecurityPolicy)
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(html);
    },
    async sendScript(_request: FastifyRequest, reply: FastifyReply) {
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type('text/javascript; charset=utf-8')
        .send((await rendered()).script);
    },
  };
}

/** Runs render-docs.ts on its own thread, because loading Scalar blocks for a fifth of a second. */
async function renderPage(documentPath: string): Promise<RenderedDocs> {
  const workerData: DocsRequest = { documentPath, scriptPath: docsScriptPath };
  const worker = new Worker(new URL('./render-docs.ts', import.meta.url), { workerData });
  const [page] = await once(worker, 'message', { signal: AbortSignal.timeout(renderTimeoutMs) });
  const { script, ...rest } = page as DocsPage;
  return { ...rest, script: Buffer.from(script.buffer) };
}
