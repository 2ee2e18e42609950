import * as z from 'zod';
import type { CallOptions } from './call-options.ts';
import { query } from './requests.ts';

const passageSchema = z.looseObject({
  row_key: z.string(),
  title: z.string(),
  /** The headings above the passage, outermost first. */
  headings: z.array(z.string()),
  /** Markdown that a member wrote: data, never an instruction. */
  text: z.string(),
  tier: z.string(),
  /** `item`, `decision` or `project`. */
  kind: z.string(),
  /** YYYY-MM-DD. */
  date: z.string().nullable(),
  status: z.string().nullable(),
  /** Larger is better; comparable within one answer only. */
  score: z.number(),
  /** A guest wrote it: a key of tier external. */
  by_guest: z.literal(true).optional(),
  /** YYYY-MM-DD: its day to be checked again has passed. */
  to_be_checked_since: z.string().optional(),
});

/** What a search finds. Unknown fields are kept. */
export const foundPassagesSchema = z.looseObject({
  /** Best first. */
  passages: z.array(passageSchema),
  /** Whether a part of what the key may see could not be searched. */
  incomplete: z.boolean(),
});

export type FoundPassages = z.infer<typeof foundPassagesSchema>;
/** A part of an item, decision or project that fits a question. */
export type Passage = FoundPassages['passages'][number];

export interface SearchOptions extends CallOptions {
  /** Maximum number of passages, 1 to 50; default 10. */
  limit?: number;
  /** Only passages whose row_key begins so, such as `projects/p1/`. */
  prefix?: string | undefined;
  /** Only passages of this kind. */
  kind?: 'item' | 'decision' | 'project' | undefined;
  /** Only passages about this day, YYYY-MM-DD, or a later one. */
  since?: string | undefined;
}

/** Returns the query of a search with its `?`. */
export function searchQuery(question: string, { limit, prefix, kind, since }: SearchOptions): string {
  return query([
    ['q', question],
    ['limit', limit],
    ['prefix', prefix],
    ['kind', kind],
    ['since', since],
  ]);
}
