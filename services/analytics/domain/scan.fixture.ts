import type { Pillar, ScanDraft, ScanMetrics } from './scan.ts';

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
