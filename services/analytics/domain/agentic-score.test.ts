import { expect, test } from 'vitest';
import { agenticScore, currentScoreVersion } from './agentic-score.ts';
import { pillars, scanMetrics } from './domain.fixture.ts';
import type { ScanMetrics } from './scans.ts';

const bothFiles = { hasAssistantMd: true, hasAgentsMd: true };
const full = { ...bothFiles, skillsCount: 3, commandsCount: 5, readinessLevel: 'L5' } as const;

/** Worked out by hand from docs/analytics.md; the sum is written beside each. */
const examples: [name: string, metrics: Partial<ScanMetrics>, score: number][] = [
  ['nothing found', {}, 0],
  ['the assistant file alone', { hasAssistantMd: true }, 14],
  ['the agents file alone', { hasAgentsMd: true }, 14],
  ['both files', bothFiles, 20],
  ['some skills: 20 + 15*2/3', { ...bothFiles, skillsCount: 2 }, 30],
  ['more skills than count: 20 + 15', { ...bothFiles, skillsCount: 4 }, 35],
  ['some commands: 20 + 5*3/5', { ...bothFiles, commandsCount: 3 }, 23],
  ['more commands than count: 20 + 5', { ...bothFiles, commandsCount: 2 ** 31 - 1 }, 25],
  ['each level adds 3: 20 + 15*3/5', { ...bothFiles, readinessLevel: 'L3' }, 29],
  [
    'pillars count alike, whatever their size: 20 + 45*(1/2 + 3/4)/2 = 48.125',
    { ...bothFiles, readinessPillars: pillars({ docs: [1, 2], tests: [3, 4] }) },
    48.1,
  ],
  [
    'a pillar without checks is left out: 20 + 45*1/2',
    { ...bothFiles, readinessPillars: pillars({ docs: [1, 2], none: [0, 0] }) },
    42.5,
  ],
  [
    'the percentage where there is no pillar: 20 + 45*0.333 = 34.985',
    { ...bothFiles, readinessPct: 33.3 },
    35,
  ],
  [
    'the percentage where no pillar has checks: 20 + 45*0.8',
    { ...bothFiles, readinessPct: 80, readinessPillars: pillars({ none: [0, 0] }) },
    56,
  ],
  [
    'pillars win over the percentage: 20 + 45*1/3',
    { ...bothFiles, readinessPct: 100, readinessPillars: pillars({ docs: [1, 3] }) },
    35,
  ],
  ['a half goes up: 20 + 45*0.35 = 35.75', { ...bothFiles, readinessPct: 35 }, 35.8],
  ['a half goes up from nothing: 45*0.01 = 0.45', { readinessPct: 1 }, 0.5],
  [
    'everything a little: 14 + 5 + 2 + 45*(2/3 + 1/6)/2 + 6 = 45.75',
    {
      hasAgentsMd: true,
      skillsCount: 1,
      commandsCount: 2,
      readinessLevel: 'L2',
      readinessPillars: pillars({ docs: [2, 3], tests: [1, 6] }),
    },
    45.8,
  ],
  ['everything: 20 + 15 + 5 + 45 + 15', { ...full, readinessPct: 100 }, 100],
  ['everything with one file: 14 + 80', { ...full, hasAssistantMd: false, readinessPct: 100 }, 94],
  [
    'at most 60 without a file: 80 is held',
    { ...full, hasAssistantMd: false, hasAgentsMd: false, readinessPct: 100 },
    60,
  ],
  [
    'just below 60 without a file: 15 + 5 + 45*0.55 + 15 = 59.75',
    { ...full, hasAssistantMd: false, hasAgentsMd: false, readinessPct: 55 },
    59.8,
  ],
];

test.each(examples)('%s', (_name, metrics, score) => {
  expect(agenticScore(1, scanMetrics(metrics)).score).toBe(score);
});

test('the parts of a score add up to it, and tell the most that each can add', () => {
  const metrics = scanMetrics({ ...full, skillsCount: 1, readinessPct: 50 });
  expect(agenticScore(1, metrics)).toEqual({
    score: 67.5,
    maxScore: 100,
    parts: [
      { name: 'instruction_files', points: 20, maxPoints: 20 },
      { name: 'skills', points: 5, maxPoints: 15 },
      { name: 'commands', points: 5, maxPoints: 5 },
      { name: 'readiness', points: 22.5, maxPoints: 45 },
      { name: 'level', points: 15, maxPoints: 15 },
    ],
  });
  expect(agenticScore(1, scanMetrics({})).maxScore).toBe(60);
});

test('a version that this process does not know is not guessed', () => {
  expect(currentScoreVersion).toBe(1);
  for (const version of [0, 2]) {
    expect(() => agenticScore(version, scanMetrics({}))).toThrowError(
      expect.objectContaining({ code: 'unavailable' }),
    );
  }
});
