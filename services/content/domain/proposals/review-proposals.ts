import { AppError } from '@teammemory/errors/app-error.ts';
import { hasAtMostCharacters } from '@teammemory/vocabulary/limits.ts';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import { canonicalTier } from '@teammemory/vocabulary/tier.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter } from '../feed/feed-writer.ts';
import type { ItemAuthor, ItemDraft } from '../items/item.ts';
import { pushItems } from '../items/push-items.ts';
import {
  type Decision,
  decided,
  isShown,
  maxReasonCharacters,
  type Proposal,
  type ProposalReader,
  type ProposalState,
  type ProposalStore,
  placeOf,
  shownTo,
  type WaitingProposal,
} from './proposal.ts';

interface Reading {
  proposals: ProposalStore;
}

interface Deciding extends Reading {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Runs what a reviewer decided about a proposal; called only if it waits. */
  noted: <Result>(proposal: Proposal, act: () => Promise<Result>) => Promise<Result>;
}

/** What a reviewer accepts. */
export interface Acceptance {
  proposalId: string;
  /** What to store instead of what was proposed. */
  item?: ItemDraft | undefined;
  /** Checksum of the version that must be stored now, empty for none; undefined: what the proposal was made from. */
  baseChecksum?: string | undefined;
}

/**
 * Lists the proposals that a reader sees, those that changed last first. `nextToken` is empty on the last page.
 * @throws AppError `invalid_cursor` for a token that is not ours, `unavailable`.
 */
export async function listProposals(
  { proposals }: Reading,
  reader: ProposalReader,
  { state, token, limit }: { state: ProposalState | undefined; token: string; limit: number },
): Promise<{ proposals: Proposal[]; nextToken: string }> {
  if (token !== '' && !/^\d{15}\/[0-9a-f-]{36}$/.test(token)) {
    throw new AppError('invalid_cursor', 'The page token was not issued for this list.', {
      violations: [{ pointer: '/cursor', detail: 'must be the next_cursor of the page before' }],
    });
  }
  const range = { before: token === '' ? undefined : token, limit: limit + 1 };
  const found = await proposals.list(reader.teamId, { ...shownTo(reader), state }, range);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { proposals: page, nextToken: found.length > limit && last !== undefined ? placeOf(last) : '' };
}

/**
 * Returns a proposal, its item while it waits, and the checksum of what is stored now, as far as the reader sees it.
 * @throws AppError `not_found` for one that is absent or that the reader does not see, `unavailable`.
 */
export async function readProposal(
  { proposals, items }: Reading & { items: Pick<FeedStore, 'find'> },
  reader: ProposalReader,
  proposalId: string,
): Promise<{ proposal: Proposal; item?: ItemDraft; currentChecksum?: string }> {
  const proposal = await shownProposal(proposals, reader, proposalId);
  if (!isWaiting(proposal)) return { proposal };
  const { rowKey, item } = proposal;
  const current = (await items.find(reader.teamId, [rowKey])).get(rowKey);
  const isSeen = current?.deleted === false && (reader.tier === 'team' || current.tier === 'external');
  return { proposal, item, ...(isSeen && { currentChecksum: current.checksum }) };
}

/**
 * Stores what was proposed, or what the reviewer makes of it, as a push of the reviewer. If that is refused, the proposal
 * waits on. Once it is stored the proposal is accepted, even if somebody else declined it meanwhile.
 * @throws AppError `permission_denied`, `not_found`, `conflict` for one that does not wait, `invalid_request` for an item
 *   of another row_key, what the push is refused with, `unavailable`; then it may be stored and the proposal wait on.
 */
export async function acceptProposal(
  dependencies: Deciding & { writer: FeedWriter; items: FeedStore; findSecrets: SecretFinder },
  reader: ProposalReader,
  by: ItemAuthor,
  { proposalId, item, baseChecksum }: Acceptance,
): Promise<Proposal> {
  const { proposals, clock, noted } = dependencies;
  const proposal = await proposalToDecide(proposals, reader, proposalId);
  const draft = draftOf(proposal, item, baseChecksum);
  return noted(proposal, async () => {
    const origin = by.origin && { ...by.origin, proposed_by: proposal.proposedBy };
    const { refusals } = await pushItems(dependencies, reader.teamId, { ...by, origin }, [draft]);
    const [refused] = refusals;
    if (refused !== undefined) {
      const { code, detail, currentChecksum } = refused.refusal;
      throw new AppError(code, detail, {
        currentChecksum: currentChecksum ?? undefined,
        ...(code === 'invalid_request' && { violations: [{ pointer: '/item', detail }] }),
      });
    }
    const isEdited = item !== undefined && !isSameText(proposal.item, item);
    const accepted = decided(proposal, 'accepted', decisionOf(by.handle, clock, { isEdited }));
    await proposals.decide(reader.teamId, accepted, ['waiting', 'declined', 'accepted']);
    return accepted;
  });
}

/**
 * Declines a proposal.
 * @throws AppError `permission_denied`, `not_found`, `conflict` for one that does not wait, `invalid_request` for a
 *   reason that is empty or too long, `unavailable`.
 */
export async function declineProposal(
  { proposals, clock, noted }: Deciding,
  reader: ProposalReader,
  by: Pick<ItemAuthor, 'handle'>,
  { proposalId, reason: given }: { proposalId: string; reason: string },
): Promise<Proposal> {
  const reason = given.trim();
  if (reason === '' || !reason.isWellFormed() || !hasAtMostCharacters(reason, maxReasonCharacters)) {
    throw invalid('/reason', `must have 1 to ${maxReasonCharacters} characters`);
  }
  const proposal = await proposalToDecide(proposals, reader, proposalId);
  return noted(proposal, async () => {
    const declined = decided(proposal, 'declined', decisionOf(by.handle, clock, { reason }));
    if (await proposals.decide(reader.teamId, declined, ['waiting'])) return declined;
    throw decidedAlready();
  });
}

/**
 * Removes a proposal of the reader's own that waits.
 * @throws AppError `not_found` for one that is absent or somebody else's, `conflict` for one that does not wait,
 *   `unavailable`.
 */
export async function withdrawProposal(
  { proposals }: Reading,
  reader: ProposalReader,
  proposalId: string,
): Promise<void> {
  await shownProposal(proposals, { ...reader, isReviewer: false }, proposalId);
  if (!(await proposals.withdraw(reader.teamId, proposalId))) throw decidedAlready();
}

async function proposalToDecide(
  proposals: ProposalStore,
  reader: ProposalReader,
  proposalId: string,
): Promise<WaitingProposal> {
  if (!reader.isReviewer) {
    throw new AppError('permission_denied', 'Reviewers have a key of tier team with access write.');
  }
  const proposal = await shownProposal(proposals, reader, proposalId);
  if (!isWaiting(proposal)) throw decidedAlready();
  return proposal;
}

/** What a reader does not see is as if it were not there. */
async function shownProposal(
  proposals: ProposalStore,
  reader: ProposalReader,
  proposalId: string,
): Promise<Proposal | WaitingProposal> {
  const proposal = await proposals.find(reader.teamId, proposalId);
  if (proposal !== undefined && isShown(proposal, shownTo(reader))) return proposal;
  throw new AppError('not_found', 'There is no such proposal.');
}

function isWaiting(proposal: Proposal | WaitingProposal): proposal is WaitingProposal {
  return proposal.state === 'waiting' && 'item' in proposal;
}

function draftOf(
  proposal: WaitingProposal,
  item: ItemDraft | undefined,
  baseChecksum: string | undefined,
): ItemDraft {
  const { rowKey } = proposal;
  if (item !== undefined && item.rowKey !== rowKey) {
    throw invalid('/item/row_key', 'must be that of the proposal');
  }
  const base =
    baseChecksum === undefined
      ? { baseChecksum: proposal.item.baseChecksum, createOnly: proposal.item.createOnly === true }
      : { baseChecksum: baseChecksum === '' ? undefined : baseChecksum, createOnly: baseChecksum === '' };
  return { ...(item ?? proposal.item), ...base };
}

function isSameText(one: ItemDraft, other: ItemDraft): boolean {
  const { content, frontmatterJson, frontmatterText } = one;
  return (
    content === other.content &&
    frontmatterJson === other.frontmatterJson &&
    frontmatterText === other.frontmatterText &&
    canonicalTier(one.tier) === canonicalTier(other.tier)
  );
}

function decisionOf(
  by: string,
  clock: () => number,
  { reason = '', isEdited = false }: { reason?: string; isEdited?: boolean },
): Decision {
  return { by, atMs: clock(), reason, isEdited };
}

function decidedAlready(): AppError {
  return new AppError('conflict', 'The proposal does not wait any more.');
}

function invalid(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `${pointer.slice(1)} ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}
