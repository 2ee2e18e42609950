import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { Share } from '../feed/quota.ts';
import type { ItemDraft } from '../items/item.ts';

/**
 * What may wait of a member, by the tier of the key: an agent that runs wild fills its own queue and nobody else's. It is
 * no part of the team's quotas: there hidden texts would refuse others their pushes, and so hint at themselves.
 */
export const maxWaiting: Share = { texts: 500, bytes: 32 * 1024 * 1024 };

/** Characters of the reason of a refusal, counted in Unicode code points. */
export const maxReasonCharacters = 1_000;

/** How long it can be read what became of a proposal. */
export const decidedKeptMs = 90 * 24 * 60 * 60 * 1_000;

export type ProposalState = 'waiting' | 'accepted' | 'declined';

/** Who proposes: a member, apart by the tier of the key. */
export interface Proposer {
  memberId: string;
  byGuest: boolean;
}

/** An item that was proposed, without its text. What is proposed under an id never changes. */
export interface Proposal extends Proposer {
  proposalId: string;
  rowKey: string;
  /** Of the item. */
  tier: Tier;
  state: ProposalState;
  /** Handle of the member who proposed it. */
  proposedBy: string;
  keyId: string;
  proposedAtMs: number;
  /** Of the item; empty once decided. */
  title: string;
  /** Of the item; empty once accepted. A declined one keeps it, so that the same text is not proposed again. */
  checksum: string;
  /**
   * Checksum of the item it was made from, or that was stored when it was made: null where there must be none. Undefined
   * once decided.
   */
  baseChecksum?: string | null | undefined;
  /** What the item takes in the store; 0 once decided. */
  bytes: number;
  decision?: Decision;
}

/** What a reviewer decided. */
export interface Decision {
  /** Handle of the reviewer. */
  by: string;
  atMs: number;
  /** Why it was declined; empty once accepted. */
  reason: string;
  /** Whether the reviewer accepted something else than what was proposed. */
  isEdited: boolean;
}

/** A proposal that waits, with its text. */
export interface WaitingProposal extends Proposal {
  item: ItemDraft;
}

/** A text that is proposed: the same bytes, for the same readers, under the same name. */
export type ProposedText = Pick<Proposal, 'rowKey' | 'tier' | 'checksum'>;

/** Which proposals to list. */
export interface ProposalFilter {
  state?: ProposalState | undefined;
  memberId?: string | undefined;
  /** Only those that keys of tier external proposed. */
  guestsOnly?: boolean | undefined;
}

/** What there is of a member in the queue of a team. */
export interface MemberProposals {
  proposals: number;
  /** Reasons for which the member declined proposals. */
  reasons: number;
}

/** Stores proposals by team. All methods throw AppError `unavailable` when the store cannot be reached. */
export interface ProposalStore {
  /** Returns what waits of a proposer, by row_key. */
  waiting(
    teamId: string,
    proposer: Proposer,
    rowKeys: readonly string[],
  ): Promise<ReadonlyMap<string, Proposal>>;
  /** Returns which of these texts were declined, of this proposer. */
  declined(teamId: string, proposer: Proposer, texts: readonly ProposedText[]): Promise<Proposal[]>;
  /**
   * Stores proposals of one proposer, of different row_keys, in order, each in place of the one of its row_key that waits.
   * Returns the row_keys of those that find no room in the share.
   */
  propose(
    teamId: string,
    proposer: Proposer,
    proposals: readonly WaitingProposal[],
    share: Share,
  ): Promise<ReadonlySet<string>>;
  /** Returns a proposal; one that waits has its `item`. */
  find(teamId: string, proposalId: string): Promise<Proposal | WaitingProposal | undefined>;
  /** Lists proposals, those that changed last first, from the one on that changed before another (`placeOf`). */
  list(
    teamId: string,
    filter: ProposalFilter,
    range: { before?: string | undefined; limit: number },
  ): Promise<Proposal[]>;
  /** Replaces a proposal that is in one of these states by what it is once decided; returns whether it did. */
  decide(teamId: string, decided: Proposal, from: readonly ProposalState[]): Promise<boolean>;
  /** Removes a proposal that waits; returns whether it did. */
  withdraw(teamId: string, proposalId: string): Promise<boolean>;
  /** Counts what a member proposed and why the member declined, by handle. */
  countOf(teamId: string, handle: string): Promise<MemberProposals>;
  /** Removes what `countOf` counts. */
  eraseOf(teamId: string, handle: string): Promise<void>;
  /** Removes proposals of all teams that were decided before a moment, at most `limit`; returns how many. */
  removeDecided(beforeMs: number, limit: number): Promise<number>;
}

/** Returns the proposals that fit, in order, into a share beside what waits: `waiting` has its bytes by row_key. */
export function fitting(
  waiting: ReadonlyMap<string, number>,
  made: readonly WaitingProposal[],
  share: Share,
): WaitingProposal[] {
  let texts = waiting.size;
  let bytes = [...waiting.values()].reduce((sum, each) => sum + each, 0);
  return made.filter((proposal) => {
    const replaced = waiting.get(proposal.rowKey);
    const moreTexts = replaced === undefined ? 1 : 0;
    const moreBytes = proposal.bytes - (replaced ?? 0);
    if (moreTexts > 0 && texts + moreTexts > share.texts) return false;
    if (moreBytes > 0 && bytes + moreBytes > share.bytes) return false;
    texts += moreTexts;
    bytes += moreBytes;
    return true;
  });
}

/** Returns where a proposal stands in a list: by when it changed, then by its id. Texts in the order of the places. */
export function placeOf({ proposalId, proposedAtMs, decision }: Proposal): string {
  return `${String(decision?.atMs ?? proposedAtMs).padStart(15, '0')}/${proposalId}`;
}

/** Returns a proposal as it is once decided: without its text, of which only a declined one keeps the checksum. */
export function decided(proposal: Proposal, state: 'accepted' | 'declined', decision: Decision): Proposal {
  const { proposalId, rowKey, tier, memberId, byGuest, proposedBy, keyId, proposedAtMs } = proposal;
  const kept = { proposalId, rowKey, tier, memberId, byGuest, proposedBy, keyId, proposedAtMs };
  const checksum = state === 'declined' ? proposal.checksum : '';
  return { ...kept, state, title: '', checksum, bytes: 0, decision };
}

/** The member who reads proposals. */
export interface ProposalReader {
  teamId: string;
  memberId: string;
  tier: Tier;
  /** Whether the member decides about what others propose. */
  isReviewer: boolean;
}

/**
 * Returns which proposals a member sees: a reviewer all of the team, others their own, and with a key of tier external
 * only those that were made with one.
 */
export function shownTo({ isReviewer, memberId, tier }: ProposalReader): ProposalFilter {
  return isReviewer ? {} : { memberId, guestsOnly: tier === 'external' };
}

/** Returns whether a proposal is one of those that a filter lets through. */
export function isShown(proposal: Proposal, { memberId, guestsOnly = false }: ProposalFilter): boolean {
  return (memberId === undefined || proposal.memberId === memberId) && (!guestsOnly || proposal.byGuest);
}
