import type { JsonBounds } from '@teammemory/vocabulary/json-scan.ts';
import type { z } from 'zod';
import type { ProblemSchema } from './problem.ts';

/** The limits of requests per key, by their names in the header RateLimit-Policy. */
export type QuotaPolicy =
  | 'item-writes'
  | 'questions'
  | 'searches'
  | 'scans'
  | 'snapshots'
  | 'sign-in-links'
  | 'sign-ins'
  | 'mcp-messages';

/** Headers that only some operations send; openapi/answer-headers.ts describes them. */
export type OwnHeader =
  | 'CacheControl'
  | 'PublicCacheControl'
  | 'XAccelBuffering'
  | 'ContentSecurityPolicy'
  | 'TextContentSecurityPolicy'
  | 'ReferrerPolicy';

/** A body of a request or an answer, with a valid example. */
export interface Content {
  mediaType: string;
  /** Unset for text without a promised shape. */
  schema?: z.ZodType;
  example: unknown;
  /** Of an event stream: the payload of each event. */
  events?: Readonly<Record<string, z.ZodType>>;
}

/** How large a body may be; checked on its bytes, before they are parsed. */
export interface DeclaredBounds extends JsonBounds {
  /** `MAX_BODY_BYTES`, the bound of every route, where unset. */
  maxBytes?: number;
}

/** A parameter of a path. */
export interface PathParameter {
  name: string;
  schema: z.ZodType;
  example: string;
  /** It contains no slashes, although it is the only parameter and comes last: paths below it are others. */
  isSegment?: true;
}

/**
 * The public declaration of one endpoint. The gateway mounts exactly the declared
 * operations, and the OpenAPI document is generated from them.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /**
   * From the root of the service. A parameter in braces that is the only one and comes last may contain slashes, unless
   * it says otherwise; others are one segment each, their slashes percent-encoded.
   */
  path: string;
  /** Its chapter in the document; one of `tags` in openapi/info.ts. */
  tag: string;
  summary: string;
  /** Markdown. */
  description: string;
  /** Which key it requires. */
  access: 'public' | 'any key' | 'team key';
  /**
   * Set where it changes what the team has: a key whose access is read gets `forbidden_access`, and so does one whose access
   * is propose, unless it says `proposals`. `reviews` takes keys of access write only.
   */
  writes?: true | 'proposals' | 'reviews';
  /** The parameters of the path, in its order. */
  pathParameters?: readonly PathParameter[];
  /** Parameters after the question mark. */
  query?: z.ZodObject;
  body?: Content & { schema: z.ZodType; bounds: DeclaredBounds };
  /** The answer of a request that succeeds: 200, or 204 without content, unless `status` says 201. */
  answer: { status?: 201; description: string; content?: Content; headers?: readonly OwnHeader[] };
  /** Problems in addition to those that follow from the other members (`openapi/problem-responses.ts`). */
  problems: readonly ProblemSchema[];
  /** The limit that requests count against. Sign-ins and messages of agents are no operations. */
  quota?: Exclude<QuotaPolicy, 'sign-ins' | 'mcp-messages'>;
}
