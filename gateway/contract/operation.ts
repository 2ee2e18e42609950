import type { z } from 'zod';
import type { ProblemSchema } from './problem.ts';

/** Limits of writes per key, by the name that the header RateLimit-Policy gives them. */
export type QuotaPolicy = 'item-writes' | 'scans' | 'snapshots';

/** Headers of answers that only some operations have; openapi/answer-headers.ts describes them. */
export type OwnHeader =
  | 'CacheControl'
  | 'XAccelBuffering'
  | 'ContentSecurityPolicy'
  | 'XContentTypeOptions'
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
  body?: Content & { schema: z.ZodType };
  /** What a request that succeeds is answered; without content, 204. */
  answer: { description: string; content?: Content; headers?: readonly OwnHeader[] };
  /** Problems beside those that follow from the rest (`openapi/operation-problems.ts`). */
  problems: readonly ProblemSchema[];
  /** The limit that it counts against. */
  quota?: QuotaPolicy;
}
