import type { Snapshot, SnapshotDraft } from './snapshot.ts';

/** A snapshot that follows every rule, of the caller, with changes. */
export function snapshotDraft(changes: Partial<SnapshotDraft> = {}): SnapshotDraft {
  return {
    member: '',
    metric: 'aem-individual',
    date: '2026-11-20',
    windowDays: 7,
    sessions: 12,
    tasks: 30,
    signals: { tool_diversity: 7, error_rate: 0.02 },
    provisional: undefined,
    ...changes,
  };
}

/** A snapshot as it is kept, with changes. */
export function keptSnapshot(changes: Partial<Snapshot> = {}): Omit<Snapshot, 'revision'> {
  const { member, ...draft } = snapshotDraft();
  const axes = { verification: 4, context_hygiene: 0, autonomy: 2, learning: 4, cost_governance: 0 };
  return {
    ...draft,
    id: '01890000-0000-7000-8000-000000000001',
    memberId: 'member-1',
    provisional: undefined,
    canonical: { spine: 'L2', axes },
    version: 1,
    ...changes,
  };
}
