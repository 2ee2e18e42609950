import { randomUUIDv7 } from 'node:crypto';
import { checksumOf, itemDraft } from '../items/item.fixture.ts';
import type { WaitingProposal } from './proposal.ts';

/** A proposal of ada that waits; `changed` replaces some of its fields. */
export function waitingProposal(changed: Partial<WaitingProposal> = {}): WaitingProposal {
  const { rowKey = 'a.md' } = changed;
  return {
    proposalId: randomUUIDv7(),
    rowKey,
    tier: 'team',
    state: 'waiting',
    memberId: 'ada-id',
    byGuest: false,
    proposedBy: 'ada',
    keyId: 'k1',
    proposedAtMs: 1_000,
    title: 'A',
    checksum: checksumOf('a'),
    bytes: 10,
    item: itemDraft({ rowKey }),
    ...changed,
  };
}
