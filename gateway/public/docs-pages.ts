import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocsPage, DocsRequest } from './render-docs.ts';

/** Where the page finds its script. */
export const docsScriptPath = '/docs/scalar.js';
/** It takes half a second; a loaded machine several times that. */
const renderTimeoutMs = 30_000;

/**
 * GET /docs, a page for people made of the OpenAPI document, and its script.
 * Both are made when first asked for: the script has 4 MB. It is Scalar's, and
 * the policy holds it to this service: it can load nothing and send nothing,
 * keys that were typed in included, anywhere else.
 */
export function docsPages(documentPath: string) {
  let page: Promise<DocsPage> | undefined;
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
        .send(Buffer.from((await rendered()).script.buffer));
    },
  };
}

/** Runs render-docs.ts on a thread of its own: loading Scalar computes for a fifth of a second. */
async function renderPage(documentPath: string): Promise<DocsPage> {
  const workerData: DocsRequest = { documentPath, scriptPath: docsScriptPath };
  const worker = new Worker(new URL('./render-docs.ts', import.meta.url), { workerData });
  const [page] = await once(worker, 'message', { signal: AbortSignal.timeout(renderTimeoutMs) });
  return page;
}
