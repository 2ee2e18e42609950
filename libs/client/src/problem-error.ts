import * as z from 'zod';
import { type PushResult, pushResultSchema } from './item.ts';

const violationSchema = z.looseObject({ pointer: z.string(), detail: z.string() });

/** A field of a request that breaks a rule; `pointer` is a JSON Pointer (RFC 6901). */
export type Violation = z.infer<typeof violationSchema>;

/** Every member is optional, because a proxy in between may send anything. */
const problemSchema = z.looseObject({
  code: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
  current_checksum: z.string().nullish().catch(undefined),
  errors: z.array(violationSchema).catch([]),
});

export interface ProblemFields {
  /** HTTP status; undefined for an `error` event within a stream. */
  status?: number;
  /** Stable code of the service, or `unknown` if the answer has none. */
  code: string;
  /** A sentence for people. */
  detail: string;
  retryAfterSeconds?: number;
  /** How much the limit allows per window, if the answer says so. */
  quota?: number;
  requestId?: string;
  /** For `conflict`: checksum of the version that the service has; null if it has none. */
  currentChecksum?: string | null;
  /** For `invalid_request`: the fields that break a rule. */
  errors?: readonly Violation[];
  /** For a refused push: the result of its items. */
  counts?: PushResult;
}

/** The service answered with a problem (RFC 9457). `message` is its `detail`. */
export class ProblemError extends Error {
  readonly status: number | undefined;
  readonly code: string;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  readonly quota: number | undefined;
  readonly requestId: string | undefined;
  readonly currentChecksum: string | null | undefined;
  readonly errors: readonly Violation[];
  readonly counts: PushResult | undefined;

  constructor(fields: ProblemFields) {
    super(fields.detail);
    this.name = 'ProblemError';
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.quota = fields.quota;
    this.requestId = fields.requestId;
    this.currentChecksum = fields.currentChecksum;
    this.errors = fields.errors ?? [];
    this.counts = fields.counts;
  }
}

/** Reads a problem from an answer. If the body is not a problem document, the code is `unknown`. */
export function problemFromAnswer(status: number, headers: Headers, body: string): ProblemError {
  const json = parseJson(body);
  const problem = problemSchema.safeParse(json).data;
  return new ProblemError({
    status,
    code: problem?.code ?? 'unknown',
    detail: problem?.detail ?? problem?.title ?? `The server answered ${status} and gave no reason.`,
    retryAfterSeconds: retryAfterSeconds(headers),
    quota: quota(headers),
    requestId: problem?.request_id ?? headers.get('x-request-id') ?? undefined,
    currentChecksum: problem?.current_checksum,
    errors: problem?.errors,
    counts: pushResultSchema.safeParse(json).data,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // for example an HTML page of a proxy
  }
}

/** Retry-After is whole seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The `q` parameter of RateLimit-Policy (IETF draft-ietf-httpapi-ratelimit-headers). */
function quota(headers: Headers): number | undefined {
  const [, digits] = /;\s*q=(\d{1,9})\b/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
