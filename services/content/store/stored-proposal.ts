import type { BackupTable } from '@teammemory/backup/backup-store.ts';
import type { ItemDraft } from '../domain/items/item.ts';
import { type Proposal, placeOf, type WaitingProposal } from '../domain/proposals/proposal.ts';

/** A proposal as it is stored, in both engines. */
export interface StoredProposal {
  team_id: string;
  proposal_id: string;
  /** Where it stands in lists. */
  place: string;
  state: Proposal['state'];
  member_id: string;
  proposed_by: string;
  key_id: string;
  /** 1 or 0. */
  by_guest: number;
  row_key: string;
  tier: Proposal['tier'];
  proposed_at: number;
  title: string;
  checksum: string;
  /** Empty where there must be no item; null once decided. */
  base_checksum: string | null;
  bytes: number;
  /** The draft as JSON, while the proposal waits. */
  item: string | null;
  decided_by: string | null;
  decided_at: number | null;
  reason: string | null;
  /** 1 or 0. */
  edited: number | null;
}

/** Proposals of a backup. */
export const proposalTable: BackupTable = {
  name: 'proposals',
  fields: {
    team_id: 'text',
    proposal_id: 'text',
    place: 'text',
    state: 'text',
    member_id: 'text',
    proposed_by: 'text',
    key_id: 'text',
    by_guest: 'number',
    row_key: 'text',
    tier: 'text',
    proposed_at: 'number',
    title: 'text',
    checksum: 'text',
    base_checksum: 'text?',
    bytes: 'number',
    item: 'text?',
    decided_by: 'text?',
    decided_at: 'number?',
    reason: 'text?',
    edited: 'number?',
  },
  key: ['team_id', 'proposal_id'],
};

/** Returns a proposal as it is stored. */
export function storedProposal(teamId: string, proposal: Proposal | WaitingProposal): StoredProposal {
  const { baseChecksum, decision } = proposal;
  return {
    team_id: teamId,
    proposal_id: proposal.proposalId,
    place: placeOf(proposal),
    state: proposal.state,
    member_id: proposal.memberId,
    proposed_by: proposal.proposedBy,
    key_id: proposal.keyId,
    by_guest: proposal.byGuest ? 1 : 0,
    row_key: proposal.rowKey,
    tier: proposal.tier,
    proposed_at: proposal.proposedAtMs,
    title: proposal.title,
    checksum: proposal.checksum,
    base_checksum: baseChecksum === null ? '' : (baseChecksum ?? null),
    bytes: proposal.bytes,
    item: 'item' in proposal ? JSON.stringify(proposal.item) : null,
    decided_by: decision?.by ?? null,
    decided_at: decision?.atMs ?? null,
    reason: decision?.reason ?? null,
    edited: decision === undefined ? null : Number(decision.isEdited),
  };
}

/** Returns a stored proposal; with its item if that was read. */
export function proposalFromStored(
  stored: Omit<StoredProposal, 'item'> & Partial<Pick<StoredProposal, 'item'>>,
): Proposal | WaitingProposal {
  const { item, base_checksum, decided_by, decided_at, reason, edited } = stored;
  const proposal: Proposal = {
    proposalId: stored.proposal_id,
    rowKey: stored.row_key,
    tier: stored.tier,
    state: stored.state,
    memberId: stored.member_id,
    byGuest: stored.by_guest === 1,
    proposedBy: stored.proposed_by,
    keyId: stored.key_id,
    proposedAtMs: stored.proposed_at,
    title: stored.title,
    checksum: stored.checksum,
    bytes: stored.bytes,
  };
  if (base_checksum !== null) proposal.baseChecksum = base_checksum === '' ? null : base_checksum;
  if (decided_by !== null && decided_at !== null) {
    proposal.decision = { by: decided_by, atMs: decided_at, reason: reason ?? '', isEdited: edited === 1 };
  }
  return item ? { ...proposal, item: JSON.parse(item) as ItemDraft } : proposal;
}
