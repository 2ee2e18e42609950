import * as z from 'zod';
import type { CallOptions } from './call-options.ts';
import type { NewItem } from './item.ts';
import { type PageOptions, query } from './requests.ts';

/** A proposal, as lists have it. Unknown fields are kept. */
export const proposalSchema = z.looseObject({
  /** It stands for one text: a new version of it is another proposal. */
  proposal_id: z.string(),
  row_key: z.string(),
  /** Empty once decided. */
  title: z.string(),
  tier: z.string(),
  /** `waiting`, `accepted` or `declined`. */
  state: z.string(),
  proposed_by: z.string(),
  key_id: z.string(),
  /** A key of tier external proposed it. */
  by_guest: z.literal(true).optional(),
  proposed_at: z.string(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  /** Why it was declined. */
  reason: z.string().nullable(),
  /** Whether the reviewer accepted another text, tier or front matter. */
  edited: z.boolean(),
});

/** A page of proposals, the one that changed last first. Unknown fields are kept. */
export const proposalPageSchema = z.looseObject({
  proposals: z.array(proposalSchema),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});

/** A proposal with what was proposed. Unknown fields are kept. */
export const wholeProposalSchema = proposalSchema.extend({
  /** Null once decided. */
  item: z
    .looseObject({
      row_key: z.string(),
      content: z.string(),
      frontmatter: z.record(z.string(), z.unknown()),
      tier: z.string(),
      checksum: z.string(),
      /** What it was made from; null for a new item, absent if nothing was said. */
      base_checksum: z.string().nullish(),
      frontmatter_text: z.string().optional(),
    })
    .nullable(),
  /** Checksum of the item that is stored now; null if there is none, and once decided. */
  current_checksum: z.string().nullable(),
});

export type Proposal = z.infer<typeof proposalSchema>;
export type ProposalPage = z.infer<typeof proposalPageSchema>;
export type WholeProposal = z.infer<typeof wholeProposalSchema>;

export interface ListProposalsOptions extends PageOptions {
  /** Only proposals of this state; default all. */
  state?: 'waiting' | 'accepted' | 'declined';
}

export interface AcceptProposalOptions extends CallOptions {
  /** What to store instead of what was proposed. */
  item?: Omit<NewItem, 'base_checksum'>;
  /** The version that must be stored now, null for none. Default: the one that the proposal was made from. */
  baseChecksum?: string | null;
}

/** Returns the query of a list of proposals with its `?`, or an empty text. */
export function proposalQuery({ state, cursor, limit }: ListProposalsOptions): string {
  return query([
    ['state', state],
    ['cursor', cursor],
    ['limit', limit],
  ]);
}

/** Returns the path of a proposal below `/api/v1/`. */
export function proposalPath(proposalId: string): string {
  return `proposals/${encodeURIComponent(proposalId)}`;
}
