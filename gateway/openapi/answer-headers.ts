import type { OwnHeader } from '../contract/operation.ts';

const rateLimitPolicy = {
  required: true,
  description:
    'The limit of the key: q requests or written items in any w seconds (IETF draft "RateLimit header fields for HTTP").',
  schema: { type: 'string', pattern: '^"[a-z-]+";q=\\d+;w=\\d+$' },
  example: '"item-writes";q=60;w=60',
} as const;

const rateLimit = {
  required: true,
  description: 'The state of the key: r are left, and more become free in t seconds.',
  schema: { type: 'string', pattern: '^"[a-z-]+";r=\\d+;t=\\d+$' },
  example: '"item-writes";r=59;t=60',
} as const;

/** The headers of answers, as components of the document. */
export const answerHeaders = {
  RequestId: {
    required: true,
    description: 'The id of the request: the one that it sent if that is valid, else a new one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
    example: '4bd7c664-2f88-4e9b-83f0-0e63e8624e59',
  },
  WwwAuthenticate: {
    required: true,
    description: 'How to authenticate.',
    schema: { type: 'string', const: 'Bearer' },
  },
  Allow: {
    required: true,
    description: 'The methods that the path supports.',
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
    example: 'GET, POST, HEAD',
  },
  RetryAfter: {
    required: true,
    description: 'Whole seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  NoStore: {
    required: true,
    description: 'The answer is for its caller only.',
    schema: { type: 'string', const: 'no-store' },
  },
  PublicCacheControl: {
    required: true,
    description: 'The page is the same for everybody.',
    schema: { type: 'string', const: 'public, max-age=3600' },
  },
  CacheControl: {
    required: true,
    description: 'Proxies must pass the stream on at once and unchanged.',
    schema: { type: 'string', const: 'no-cache, no-transform' },
  },
  XAccelBuffering: {
    required: true,
    description: 'Tells proxies such as nginx not to buffer the answer.',
    schema: { type: 'string', const: 'no' },
  },
  ContentSecurityPolicy: {
    required: true,
    description: 'Restricts the page to this service: it can load and send nothing elsewhere.',
    schema: { type: 'string', pattern: "^default-src 'none'; script-src 'self' 'sha256-[A-Za-z0-9+/=]+'; " },
  },
  TextContentSecurityPolicy: {
    required: true,
    description: 'The page is text only: it loads, runs and sends nothing.',
    schema: {
      type: 'string',
      const: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  },
  XContentTypeOptions: {
    required: true,
    description: 'The media type of the answer is reliable.',
    schema: { type: 'string', const: 'nosniff' },
  },
  ReferrerPolicy: {
    required: true,
    description: 'Links on the page do not reveal where they were followed.',
    schema: { type: 'string', const: 'no-referrer' },
  },
  RateLimitPolicy: rateLimitPolicy,
  RateLimit: rateLimit,
  // The request may be refused before its key is known.
  RateLimitPolicyOnceKnown: { ...rateLimitPolicy, required: false },
  RateLimitOnceKnown: { ...rateLimit, required: false },
} as const;

const wireNames: Readonly<Record<keyof typeof answerHeaders, string>> = {
  RequestId: 'X-Request-Id',
  WwwAuthenticate: 'WWW-Authenticate',
  Allow: 'Allow',
  RetryAfter: 'Retry-After',
  NoStore: 'Cache-Control',
  PublicCacheControl: 'Cache-Control',
  CacheControl: 'Cache-Control',
  XAccelBuffering: 'X-Accel-Buffering',
  ContentSecurityPolicy: 'Content-Security-Policy',
  TextContentSecurityPolicy: 'Content-Security-Policy',
  XContentTypeOptions: 'X-Content-Type-Options',
  ReferrerPolicy: 'Referrer-Policy',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  RateLimitPolicyOnceKnown: 'RateLimit-Policy',
  RateLimitOnceKnown: 'RateLimit',
};

/** Returns the headers of an answer. `quota` says whether the endpoint is limited, `own` lists what only this answer has. */
export function headersOf(
  status: number,
  quota: boolean,
  own: readonly OwnHeader[] = [],
): Record<string, { $ref: string }> {
  const names: (keyof typeof answerHeaders)[] = ['RequestId', 'XContentTypeOptions', ...own];
  if (!names.some((name) => wireNames[name] === 'Cache-Control')) names.push('NoStore');
  if (status === 401) names.push('WwwAuthenticate');
  if (status === 405) names.push('Allow');
  if (status === 429 || status === 503) names.push('RetryAfter');
  if (quota) names.push(...quotaHeaders(status));
  return Object.fromEntries(names.map((name) => [wireNames[name], { $ref: `#/components/headers/${name}` }]));
}

function quotaHeaders(status: number): (keyof typeof answerHeaders)[] {
  // Without a key, or with a method that the path does not support, no limit applies.
  if (status === 401 || status === 405) return [];
  const mayPrecedeCaller = [403, 500, 503].includes(status);
  return mayPrecedeCaller
    ? ['RateLimitPolicyOnceKnown', 'RateLimitOnceKnown']
    : ['RateLimitPolicy', 'RateLimit'];
}
