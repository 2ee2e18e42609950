import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { checkConformance } from '../openapi/conformance.ts';
import type { RunningService, Team } from '../service/running-service.ts';
import { answerText } from './events.ts';

/** An answer with its body read: JSON where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface ApiOptions {
  method?: string;
  /** Sent as JSON, unless it is text, bytes or a stream already; of a stream the length is not declared. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Where a request goes; with several gateways behind it, to the next one each time. */
export type Target = Pick<RunningService, 'url'> & Partial<Pick<RunningService, 'urls'>>;

/** Longer than the gateway waits for a part, so that a test sees what it answers then. */
const answerTimeoutMs = 45_000;

let requests = 0;

/**
 * Sends one request of the public API with a key, exactly as a foreign client would.
 * @throws Error when the answer is not what docs/openapi.json describes.
 */
export async function api(
  service: Target,
  team: Pick<Team, 'slug'>,
  key: string,
  path: string,
  options: ApiOptions = {},
): Promise<Answer> {
  const { body } = options;
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
  const { url, urls = [url] } = service;
  requests += 1;
  const response = await fetch(`${urls[requests % urls.length]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-svc-team': team.slug,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body), duplex: 'half' }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  const { status, headers } = response;
  const text = await answerText(response.body ?? [], { method, path, status });
  checkConformance({ method, path, status, headers, text });
  const isJson = text !== '' && /json/.test(headers.get('content-type') ?? '');
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

/** An item that is good unless it is changed; its checksum is that of its content. */
export function item(row_key: string, content = `# ${row_key}\n`, changes: Record<string, unknown> = {}) {
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { row_key, content, frontmatter: {}, tier: 'team', checksum, ...changes };
}

/** As often as this a loaded machine may say that it is not able to right now. */
const attempts = 10;

/**
 * Sends a request as `api` does, again while the answer is 503, after the time that it names: what every client
 * has to do. The first attempt may have been stored, so it is for requests that may be repeated.
 */
export async function apiWhenAvailable(...request: Parameters<typeof api>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await api(...request);
    if (answer.status !== 503 || attempt === attempts) return answer;
    await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  }
}
