const rateLimitPolicy = {
  required: true,
  description:
    'The limit of the key: q writes in any w seconds (IETF draft "RateLimit header fields for HTTP").',
  schema: { type: 'string', pattern: '^"[a-z-]+";q=\\d+;w=\\d+$' },
  example: '"item-writes";q=60;w=60',
} as const;

const rateLimit = {
  required: true,
  description: 'Where the key stands: r writes are left, more are free in t seconds.',
  schema: { type: 'string', pattern: '^"[a-z-]+";r=\\d+;t=\\d+$' },
  example: '"item-writes";r=59;t=60',
} as const;

/** The headers of answers, as components. */
export const answerHeaders = {
  RequestId: {
    required: true,
    description: 'The id of the request: its own if it brought a sane one, else a new one.',
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
    description: 'The methods that the path has.',
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
    example: 'GET, POST, HEAD',
  },
  RetryAfter: {
    required: true,
    description: 'Whole seconds after which to try again.',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  RateLimitPolicy: rateLimitPolicy,
  RateLimit: rateLimit,
  // A refusal may come before it is known whose limit it would tell.
  RateLimitPolicyOnceKnown: { ...rateLimitPolicy, required: false },
  RateLimitOnceKnown: { ...rateLimit, required: false },
} as const;

const wireNames: Readonly<Record<keyof typeof answerHeaders, string>> = {
  RequestId: 'X-Request-Id',
  WwwAuthenticate: 'WWW-Authenticate',
  Allow: 'Allow',
  RetryAfter: 'Retry-After',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  RateLimitPolicyOnceKnown: 'RateLimit-Policy',
  RateLimitOnceKnown: 'RateLimit',
};

/** The headers of an answer. `quota` says whether the endpoint is limited. */
export function headersOf(status: number, quota: boolean): Record<string, { $ref: string }> {
  const names: (keyof typeof answerHeaders)[] = ['RequestId'];
  if (status === 401) names.push('WwwAuthenticate');
  if (status === 405) names.push('Allow');
  if (status === 429 || status === 503) names.push('RetryAfter');
  if (quota) names.push(...quotaHeaders(status));
  return Object.fromEntries(names.map((name) => [wireNames[name], { $ref: `#/components/headers/${name}` }]));
}

function quotaHeaders(status: number): (keyof typeof answerHeaders)[] {
  // Without a key, or on a method that the path does not have, there is no limit to tell of.
  if (status === 401 || status === 405) return [];
  const mayPrecedeCaller = [403, 500, 503].includes(status);
  return mayPrecedeCaller
    ? ['RateLimitPolicyOnceKnown', 'RateLimitOnceKnown']
    : ['RateLimitPolicy', 'RateLimit'];
}
