import type { Pillar, ScanDraft, ScanMetrics } from './scans.ts';
import type { Snapshot, SnapshotDraft } from './snapshots.ts';

/** A scan that found nothing, with changes. */
export function scanMetrics(changes: Partial<ScanMetrics> = {}): ScanMetrics {
  return {
    headSha: 'a1b2c3',
    hasAssistantMd: false,
    hasAgentsMd: false,
    skillsCount: 0,
    commandsCount: 0,
    readinessLevel: 'L0',
    readinessPct: 0,
    readinessPillars: [],
    readinessRubricVersion: '2.1',
    ...changes,
  };
}

/** Pillars by name, each with the checks passed and made. */
export function pillars(results: Record<string, [passed: number, total: number]>): Pillar[] {
  return Object.entries(results).map(([name, [passed, total]]) => ({ name, passed, total }));
}

/** A scan that follows every rule, with changes. */
export function scanDraft(changes: Partial<ScanDraft> = {}): ScanDraft {
  return {
    codebase: { slug: 'api', fullName: 'acme/api', provider: 'github' },
    metrics: scanMetrics({ readinessPillars: pillars({ docs: [1, 2] }) }),
    contributions: [{ member: 'ada', commits: 7, agentCommits: 3 }],
    issues: [{ number: 12, title: 'It is slow', state: 'open' }],
    ...changes,
  };
}

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
