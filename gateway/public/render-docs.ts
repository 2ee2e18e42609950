import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import Fastify from 'fastify';

// A worker that renders the page of GET /docs, posts it to the thread that started it, and ends.

/** The paths of the OpenAPI document and of the page's script. */
export interface DocsRequest {
  documentPath: string;
  scriptPath: string;
}

export interface DocsPage {
  html: string;
  /** Bytes, so that all answers share the same memory. */
  script: Uint8Array<ArrayBuffer>;
  contentSecurityPolicy: string;
}

/** Scalar serves its page and script through a Fastify plugin only, so they are fetched from a server that never listens. */
async function renderDocs({ documentPath, scriptPath }: DocsRequest): Promise<DocsPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: documentPath,
      cdn: scriptPath,
      pageTitle: 'Team Memory Service API',
      // These would send requests to other hosts.
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
  return {
    html: page.body,
    script: new Uint8Array(script.rawPayload),
    contentSecurityPolicy: policyFor(page.body),
  };
}

/** Allows the page's inline script by its digest, and nothing from elsewhere. Scalar adds inline styles. */
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

parentPort?.postMessage(await renderDocs(workerData));
