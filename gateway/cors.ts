import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long a browser may keep the answer to a preflight; a change of the setting takes effect after it. */
const preflightCacheSeconds = 600;

const allowed = {
  methods: ['GET', 'HEAD', 'POST', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Encoding',
    'Content-Type',
    // Clients of MCP say in these what their message contains.
    'MCP-Method',
    'MCP-Name',
    'MCP-Protocol-Version',
    'X-Request-Id',
    'X-Svc-Client',
    'X-Svc-Team',
  ],
  /** What a page may read of an answer, beside its body and the few headers that are always readable. */
  exposedHeaders: [
    'Allow',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
  maxAge: preflightCacheSeconds,
  // Keys are sent in a header; a cookie or a client certificate of the browser is never asked for.
  credentials: false,
} as const;

/**
 * Lets pages of the given origins call the API from a browser. Every answer to them says so, problems included, and a
 * preflight is answered before the key is checked, because it has none. All others get the answers that they would get
 * without this. Registers nothing if there are no origins.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const known: ReadonlySet<string> = new Set(origins);

  async function optionsFor({ headers }: FastifyRequest): Promise<FastifyCorsOptions> {
    const { origin } = headers;
    const isKnown = origin !== undefined && known.has(origin);
    return {
      ...allowed,
      methods: [...allowed.methods],
      allowedHeaders: [...allowed.allowedHeaders],
      exposedHeaders: [...allowed.exposedHeaders],
      origin: isKnown ? origin : false,
      // Any other OPTIONS request is refused as ever: the package would refuse it with plain text.
      preflight: headers['access-control-request-method'] !== undefined,
      strictPreflight: false,
    };
  }

  app.register(cors, { delegator: optionsFor });
}
