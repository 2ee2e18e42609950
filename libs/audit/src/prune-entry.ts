import { type AuditDraft, entryFrom, type StoredAuditEntry } from './audit-entry.ts';
import type { AuditBounds } from './audit-store.ts';

type Beginning = Pick<AuditBounds, 'first' | 'firstPreviousHash'>;

const action = 'audit.prune';
const dayMs = 24 * 60 * 60 * 1_000;

/** Returns the entry that is written before old entries are removed, so that the chain tells where the log begins. */
export function pruneDraft({ first, firstPreviousHash }: Beginning, keptMs: number): AuditDraft {
  return {
    teamId: null,
    actor: { kind: 'service', name: 'audit' },
    action,
    object: 'old entries',
    outcome: 'done',
    begun: null,
    code: null,
    before: {},
    address: '',
    requestId: '',
    after: {
      first: String(first),
      first_previous_hash: firstPreviousHash,
      kept_days: String(Math.round(keptMs / dayMs)),
    },
  };
}

/** Returns where the log begins according to an entry; undefined for an entry of anything else. */
export function beginningFrom(stored: Pick<StoredAuditEntry, 'text'> | undefined): Beginning | undefined {
  if (stored === undefined) return undefined;
  try {
    const { action: what, after } = entryFrom(stored.text);
    if (what !== action) return undefined;
    return { first: Number(after.first), firstPreviousHash: after.first_previous_hash ?? '' };
  } catch {
    // No text of an entry, which the check of the chain tells.
    return undefined;
  }
}
