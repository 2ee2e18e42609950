import type { z } from 'zod';
import type { JsonBounds } from '../bodies/json-scan.ts';
import type { ProblemSchema } from './problem.ts';

/** Limits of requests per key, by the name that the header RateLimit-Policy gives them. */
export type QuotaPolicy = 'item-writes' | 'questions' | 'scans' | 'snapshots';

/** Headers of answers that only some operations have; openapi/answer-headers.ts describes them. */
export type OwnHeader =
  | 'CacheControl'
  | 'PublicCacheControl'
  | 'XAccelBuffering'
  | 'ContentSecurityPolicy'
  | 'TextContentSecurityPolicy'
  | 'ReferrerPolicy';

/** What is sent, or answered, with an example that holds. */
export interface Content {
  mediaType: string;
  /** Unset for text of which no shape is promised. */
  schema?: z.ZodType;
  example: unknown;
  /** Of an event stream: what each event carries. */
  events?: Readonly<Record<string, z.ZodType>>;
}

/** How large a body may be: checked on its bytes, before anything is made of them. */
export interface BodyLimits extends JsonBounds {
  /** Unset: `MAX_BODY_BYTES`, which is the bound of every route. */
  maxBytes?: number;
}

/**
 * All that is said about one endpoint in public. The gateway mounts what is
 * described here and nothing else, and the OpenAPI document is made of it.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** From the root of the service. A parameter in braces is the last part, and may hold slashes. */
  path: string;
  /** The chapter that it stands in; one of `tags` in openapi/info.ts. */
  tag: string;
  summary: string;
  /** Markdown. */
  description: string;
  /** Whose key it takes. */
  access: 'public' | 'any key' | 'team key';
  /** The parameter of the path. */
  pathParameter?: { name: string; schema: z.ZodType; example: string };
  /** Parameters after the question mark. */
  query?: z.ZodObject;
  body?: Content & { schema: z.ZodType; bounds: BodyLimits };
  /** What a request that succeeds is answered; without content, 204. */
  answer: { description: string; content?: Content; headers?: readonly OwnHeader[] };
  /** Problems beside those that follow from the rest (`openapi/problem-responses.ts`). */
  problems: readonly ProblemSchema[];
  /** The limit that it counts against. */
  quota?: QuotaPolicy;
}
