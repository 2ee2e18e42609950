import { hash } from 'node:crypto';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/** Where the page finds its script. */
export const docsScriptPath = '/docs/scalar.js';

interface DocsPage {
  html: string;
  script: string;
  contentSecurityPolicy: string;
}

/**
 * GET /docs, a page for people made of the OpenAPI document, and its script.
 * Both are made when first asked for: the script has 4 MB. It is Scalar's, and
 * the policy holds it to this service: it can load nothing and send nothing,
 * keys that were typed in included, anywhere else.
 */
export function docsPages(documentPath: string) {
  let page: Promise<DocsPage> | undefined;
  const rendered = () => {
    page ??= renderPage(documentPath);
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

/** Scalar gives its page and script out through a plugin only, so they are fetched from a server that never listens. */
async function renderPage(documentPath: string): Promise<DocsPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: documentPath,
      cdn: docsScriptPath,
      pageTitle: 'Team Memory Service API',
      // What would leave this service.
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  });
  const [page, script] = [await app.inject('/docs/'), await app.inject('/docs/js/scalar.js')];
  await app.close();
  return { html: page.body, script: script.body, contentSecurityPolicy: policyFor(page.body) };
}

/** Allows this page's own inline script by its digest, and nothing from elsewhere. Scalar writes styles of its own. */
function policyFor(html: string): string {
  const [, inline = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(html) ?? [];
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', inline, 'base64')}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
