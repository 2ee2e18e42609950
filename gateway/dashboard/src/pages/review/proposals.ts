import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  type ItemInput,
  ProposalState,
  type Proposal as StoredProposal,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { textToReview } from '@teammemory/sync/format/file-text.ts';
import { everyPage } from '../../data/every-page.ts';
import { readSummaries } from '../../data/item-summaries.ts';
import { countAgain } from '../../data/waiting-proposals.ts';
import { contentToPush, textOf } from '../../service/item-text.ts';
import { type Item, readItemIfAny } from '../../service/items.ts';
import { rpc } from '../../service/rpc.ts';

/** Pages of 200 proposals that are read of one list: more than a person reviews. */
const maxPages = 10;

/** A proposal without its text, as pages show it. */
export interface Proposal {
  id: string;
  rowKey: string;
  tier: Item['tier'];
  state: 'waiting' | 'accepted' | 'declined';
  /** The title of the item, while it waits. */
  title: string;
  by: string;
  keyId: string;
  byGuest: boolean;
  at: Date | undefined;
  /** Who decided; empty while it waits. */
  decidedBy: string;
  decidedAt: Date | undefined;
  reason: string;
  edited: boolean;
}

/** A proposal with its text, and what is stored now. */
export interface OpenProposal {
  proposal: Proposal;
  /** The text with its front matter; undefined once it is decided. */
  text: string | undefined;
  /** The item that it would replace. */
  present: Item | undefined;
  /** Whether the item has changed since somebody made the proposal from it. */
  isOutdated: boolean;
}

/** Lists what waits for a reviewer, or what was decided, those that changed last first. Rejects as the RPC does. */
export async function listProposals(isDecided: boolean, signal: AbortSignal): Promise<Proposal[]> {
  const state = isDecided ? ProposalState.UNSPECIFIED : ProposalState.WAITING;
  const load = (pageToken: string) => rpc.content.listProposals({ state, pageToken }, { signal });
  const found = (await everyPage(load, ({ proposals }) => proposals, maxPages)).map(proposalFrom);
  return isDecided ? found.filter(({ state }) => state !== 'waiting') : found;
}

/** Reads which of some proposals change an item that there is. */
export async function readChanges(
  proposals: readonly Proposal[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const items = await readSummaries(
    proposals.map(({ rowKey }) => rowKey),
    signal,
  );
  return new Set(items.keys());
}

/** Reads the newest proposals that this session sees, at most so many. */
export async function readNewestProposals(
  pageSize: number,
  signal: AbortSignal,
): Promise<{ proposals: Proposal[]; hasMore: boolean }> {
  const { proposals, nextPageToken } = await rpc.content.listProposals({ pageSize }, { signal });
  return { proposals: proposals.map(proposalFrom), hasMore: nextPageToken !== '' };
}

/** Reads a proposal and what is stored under its name. Rejects as the RPC does. */
export async function readProposal(proposalId: string, signal: AbortSignal): Promise<OpenProposal> {
  const answer = await rpc.content.getProposal({ proposalId }, { signal });
  const { proposal: found, item, currentChecksum } = answer;
  if (found === undefined) throw new Error('The answer has no proposal.');
  const proposal = proposalFrom(found);
  if (item === undefined) return { proposal, text: undefined, present: undefined, isOutdated: false };
  const present = currentChecksum === undefined ? undefined : await readItemIfAny(proposal.rowKey);
  const { baseChecksum, createOnly } = item;
  const isOutdated = createOnly
    ? present !== undefined
    : baseChecksum !== undefined && baseChecksum.toLowerCase() !== present?.checksum;
  const proposed = itemFrom(item, proposal);
  return { proposal, text: textToReview(textOf(proposed), proposed), present, isOutdated };
}

/**
 * Accepts a proposal over the version that the reviewer compared it with: as it is, or as the reviewer edited it.
 * @throws Problem for a text that cannot be read or is private. Rejects as the RPC does.
 */
export async function acceptProposal(
  { proposal, present }: OpenProposal,
  edited?: { text: string; tier: Item['tier'] },
): Promise<void> {
  const { id: proposalId, rowKey } = proposal;
  const baseChecksum = present?.checksum ?? '';
  if (edited === undefined) await rpc.content.acceptProposal({ proposalId, baseChecksum });
  else {
    const { content, frontmatter, frontmatter_text: frontmatterText, checksum } = contentToPush(edited.text);
    const frontmatterJson = new TextEncoder().encode(JSON.stringify(frontmatter));
    const { tier } = edited;
    const item = { rowKey, content, frontmatterJson, tier, checksum };
    const whole = frontmatterText === undefined ? item : { ...item, frontmatterText };
    await rpc.content.acceptProposal({ proposalId, baseChecksum, item: whole });
  }
  await countAgain();
}

/** Declines a proposal and tells whoever proposed it why. Rejects as the RPC does. */
export async function declineProposal(proposalId: string, reason: string): Promise<void> {
  await rpc.content.declineProposal({ proposalId, reason });
  await countAgain();
}

function proposalFrom(stored: StoredProposal): Proposal {
  const { proposalId: id, rowKey, title, proposedBy: by, keyId, byGuest, decidedBy, reason, edited } = stored;
  const states = { [ProposalState.ACCEPTED]: 'accepted', [ProposalState.DECLINED]: 'declined' } as const;
  return {
    id,
    rowKey,
    title,
    by,
    keyId,
    byGuest,
    decidedBy,
    reason,
    edited,
    tier: stored.tier === Tier.EXTERNAL ? 'external' : 'team',
    state: (states as Readonly<Record<number, 'accepted' | 'declined'>>)[stored.state] ?? 'waiting',
    at: stored.proposedAt && timestampDate(stored.proposedAt),
    decidedAt: stored.decidedAt && timestampDate(stored.decidedAt),
  };
}

function itemFrom(input: ItemInput, { rowKey: row_key, title, tier, by }: Proposal): Item {
  const { content, checksum, frontmatterText } = input;
  const frontmatter = JSON.parse(new TextDecoder().decode(input.frontmatterJson));
  const item = { row_key, title, content, frontmatter, tier, checksum, updated_at: '', updated_by: by };
  return frontmatterText === undefined ? item : { ...item, frontmatter_text: frontmatterText };
}
