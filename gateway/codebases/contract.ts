import { slugPattern } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';
import { uuid, whole } from '../contract/answer-types.ts';
import { amount, count, level, list, name, object, record, text } from '../contract/field-types.ts';

/** Contributions, and issues, of one scan (docs/contract.md, "Codebases"). */
const maxRows = 10_000;
/** Pillars of one scan (services/analytics/domain/scan-rules.ts). */
const maxPillars = 100;

const flag = (description: string) => z.boolean({ error: 'must be true or false' }).meta({ description });

const pillar = object({
  passed: count('Checks passed, at most total.'),
  total: count('Checks made.'),
});

/** The commits of one member. */
export const contribution = object({
  member: name('Who made the commits.', 64),
  commits: count('Commits.'),
  agent_commits: count('Commits among them that an agent made.'),
});

/** One issue of the codebase. */
export const issue = object({
  number: count('Number of the issue.'),
  title: text('Its title.', { maxLength: 500 }),
  state: text('Its state, as the provider names it.', { maxLength: 32 }),
});

const scanHead = {
  codebase: object({
    slug: text('Unique in the team.', { pattern: slugPattern.source }),
    full_name: name('Owner/repository.', 300),
    provider: name('Identifier of the hosting provider.', 64),
  }),
  metrics: object({
    head_sha: name('The commit.', 128),
    has_assistant_md: flag("Whether the assistant's instruction file is there."),
    has_agents_md: flag('Whether the agents file is there.'),
    skills_count: count('Skills found.'),
    commands_count: count('Commands found.'),
    readiness_level: level("The client's level."),
    readiness_pct: amount("The client's percentage.", 100),
    readiness_pillars: record(name('Name of a pillar.', 64), pillar, maxPillars).meta({
      description: `The client's result by pillar, at most ${maxPillars}.`,
    }),
    readiness_rubric_version: name("Version of the client's rubric.", 64),
  }),
};

/** The body of POST /codebases as it is checked; its rows are checked in turns of their own. */
export const scanBody = object({
  ...scanHead,
  contributions: list(z.unknown(), maxRows).default([]),
  issues: list(z.unknown(), maxRows).default([]),
});

/** The same body as it is documented. */
export const describedScanBody = object({
  ...scanHead,
  contributions: list(contribution, maxRows).default([]),
  issues: list(issue, maxRows).default([]).meta({ description: 'At most 8 MiB of JSON.' }),
}).meta({ id: 'Scan', description: 'The result of scanning a codebase at one commit.' });

export type ScanBody = z.output<typeof describedScanBody>;

/** The answer of POST /codebases. */
export const scanAnswer = z
  .object({
    status: z.literal('ok'),
    codebase_id: uuid('The codebase; the same for every scan of it.'),
    metrics_id: uuid('The scan; the same for every push of its commit.'),
    contributions: whole('Contributions now stored for this scan.'),
    issues: whole('Issues now stored for this scan.'),
  })
  .meta({ id: 'ScanAnswer' });

export type ScanAnswer = z.output<typeof scanAnswer>;
