import type { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { pillars, scanDraft, scanMetrics } from './domain.fixture.ts';
import { checkScan } from './scan-rules.ts';
import type { ScanDraft } from './scans.ts';

const maxCount = 2 ** 31 - 1;

/** The pointers of the error for a scan, or none. */
function faultsOf(draft: ScanDraft): string[] {
  try {
    checkScan(draft);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as AppError).violations.map(({ pointer }) => pointer);
  }
}

const withCodebase = (changes: Partial<ScanDraft['codebase']>) =>
  scanDraft({ codebase: { slug: 'api', fullName: 'acme/api', provider: 'github', ...changes } });
const withMetrics = (changes: Partial<ScanDraft['metrics']>) =>
  scanDraft({ metrics: { ...scanMetrics(), ...changes } });
const withContribution = (changes: Partial<ScanDraft['contributions'][number]>) =>
  scanDraft({ contributions: [{ member: 'ada', commits: 2, agentCommits: 1, ...changes }] });
const withIssue = (changes: Partial<ScanDraft['issues'][number]>) =>
  scanDraft({ issues: [{ number: 1, title: 't', state: 'open', ...changes }] });

test.each<[string, ScanDraft]>([
  ['an ordinary scan', scanDraft()],
  ['no rows', scanDraft({ contributions: [], issues: [] })],
  ['a slug of one character', withCodebase({ slug: 'a' })],
  ['the longest slug', withCodebase({ slug: 'a'.repeat(64) })],
  ['the longest full name', withCodebase({ fullName: '🦉'.repeat(300) })],
  ['the longest commit', withMetrics({ headSha: 'f'.repeat(128) })],
  ['the largest counts', withMetrics({ skillsCount: maxCount, commandsCount: maxCount })],
  ['the whole percentage', withMetrics({ readinessPct: 100 })],
  [
    'pillars full and empty',
    withMetrics({ readinessPillars: pillars({ a: [maxCount, maxCount], b: [0, 0] }) }),
  ],
  [
    'a hundred pillars',
    withMetrics({
      readinessPillars: Array.from({ length: 100 }, (_, n) => ({ name: `p${n}`, passed: 0, total: 1 })),
    }),
  ],
  ['commits all by agents', withContribution({ commits: 5, agentCommits: 5 })],
  ['an issue without a title', withIssue({ number: 0, title: '', state: '' })],
  ['a title of the longest, with a tab', withIssue({ title: `${'🦉'.repeat(499)}\t` })],
])('%s is accepted', (_name, draft) => {
  expect(faultsOf(draft)).toEqual([]);
});

test.each<[string, ScanDraft, string]>([
  ['an empty slug', withCodebase({ slug: '' }), '/codebase/slug'],
  ['a slug in capitals', withCodebase({ slug: 'API' }), '/codebase/slug'],
  ['a slug with a hyphen at its end', withCodebase({ slug: 'api-' }), '/codebase/slug'],
  ['a slug too long', withCodebase({ slug: 'a'.repeat(65) }), '/codebase/slug'],
  ['a slug with a line break', withCodebase({ slug: 'api\n' }), '/codebase/slug'],
  ['no full name', withCodebase({ fullName: '' }), '/codebase/full_name'],
  ['a full name too long', withCodebase({ fullName: 'a'.repeat(301) }), '/codebase/full_name'],
  ['a lone surrogate', withCodebase({ fullName: 'a\ud800' }), '/codebase/full_name'],
  ['no provider', withCodebase({ provider: '' }), '/codebase/provider'],
  ['a provider too long', withCodebase({ provider: 'a'.repeat(65) }), '/codebase/provider'],
  ['no commit', withMetrics({ headSha: '' }), '/metrics/head_sha'],
  ['a commit too long', withMetrics({ headSha: 'f'.repeat(129) }), '/metrics/head_sha'],
  ['a commit with a NUL', withMetrics({ headSha: 'f\0' }), '/metrics/head_sha'],
  ['a negative count', withMetrics({ skillsCount: -1 }), '/metrics/skills_count'],
  ['a broken count', withMetrics({ skillsCount: 1.5 }), '/metrics/skills_count'],
  ['a count too large', withMetrics({ commandsCount: maxCount + 1 }), '/metrics/commands_count'],
  ['a level beyond the scale', withMetrics({ readinessLevel: 'L6' }), '/metrics/readiness_level'],
  ['a level in another case', withMetrics({ readinessLevel: 'l1' }), '/metrics/readiness_level'],
  ['no level', withMetrics({ readinessLevel: '' }), '/metrics/readiness_level'],
  ['a percentage above 100', withMetrics({ readinessPct: 100.1 }), '/metrics/readiness_pct'],
  ['a percentage below 0', withMetrics({ readinessPct: -0.1 }), '/metrics/readiness_pct'],
  ['a percentage that is no number', withMetrics({ readinessPct: Number.NaN }), '/metrics/readiness_pct'],
  ['no rubric version', withMetrics({ readinessRubricVersion: '' }), '/metrics/readiness_rubric_version'],
  [
    'more passed than made',
    withMetrics({ readinessPillars: pillars({ 'a/b~c': [3, 2] }) }),
    '/metrics/readiness_pillars/a~1b~0c/passed',
  ],
  [
    'checks passed of none',
    withMetrics({ readinessPillars: pillars({ a: [1, 0] }) }),
    '/metrics/readiness_pillars/a/passed',
  ],
  [
    'a negative total',
    withMetrics({ readinessPillars: pillars({ a: [-2, -1] }) }),
    '/metrics/readiness_pillars/a/total',
  ],
  [
    'a pillar without a name',
    withMetrics({ readinessPillars: pillars({ '': [1, 2] }) }),
    '/metrics/readiness_pillars',
  ],
  [
    'too many pillars',
    withMetrics({
      readinessPillars: Array.from({ length: 101 }, (_, n) => ({ name: `p${n}`, passed: 0, total: 1 })),
    }),
    '/metrics/readiness_pillars',
  ],
  ['a contribution of nobody', withContribution({ member: '' }), '/contributions/0/member'],
  ['negative commits', withContribution({ commits: -1, agentCommits: -2 }), '/contributions/0/commits'],
  ['more by agents than there are', withContribution({ agentCommits: 3 }), '/contributions/0/agent_commits'],
  ['an issue without a number', withIssue({ number: Number.NaN }), '/issues/0/number'],
  ['a title too long', withIssue({ title: 'a'.repeat(501) }), '/issues/0/title'],
  ['a state too long', withIssue({ state: 'a'.repeat(33) }), '/issues/0/state'],
  [
    'too many contributions',
    scanDraft({ contributions: Array(10_001).fill({ member: 'ada', commits: 1, agentCommits: 0 }) }),
    '/contributions',
  ],
  [
    'too many issues',
    scanDraft({ issues: Array(10_001).fill({ number: 1, title: '', state: '' }) }),
    '/issues',
  ],
  [
    'issues too large for one row',
    scanDraft({ issues: Array(10_000).fill({ number: 1, title: '🦉'.repeat(500), state: '' }) }),
    '/issues',
  ],
])('%s is refused with its place', (_name, draft, pointer) => {
  expect(faultsOf(draft)).toContain(pointer);
});

test.each(['full_name', 'provider'])('a control character in %s is told as what is wrong', (name) => {
  const draft = withCodebase(name === 'provider' ? { provider: 'git\0hub' } : { fullName: 'acme\n' });
  expect(() => checkScan(draft)).toThrow(
    expect.objectContaining({
      violations: [
        { pointer: `/codebase/${name}`, detail: expect.stringContaining('without control characters') },
      ],
    }),
  );
});

test('every place that is wrong is named, up to a hundred', () => {
  const draft = { ...withCodebase({ slug: '' }), metrics: scanMetrics({ headSha: '', skillsCount: -1 }) };
  expect(faultsOf(draft)).toEqual(['/codebase/slug', '/metrics/head_sha', '/metrics/skills_count']);
  const bad = { number: -1, title: '', state: '' };
  expect(faultsOf(scanDraft({ issues: Array(10_000).fill(bad) }))).toHaveLength(100);
});
