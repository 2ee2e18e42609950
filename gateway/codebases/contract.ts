import { slugPattern } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';
import { instant, prose, slug, uuid, whole } from '../contract/answer-types.ts';
import { amount, count, level, list, name, object, record, text } from '../contract/field-types.ts';
import type { PathParameter } from '../contract/operation.ts';
import { listEnd } from '../feed/contract.ts';

/** Contributions, and issues, of one scan (docs/contract.md, "Codebases"). */
const maxRows = 10_000;
/** Checks of one scan (services/analytics/domain/scan-rules.ts). */
const maxFindings = 200;
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

const place = (description: string) => name(description, 300).optional();

const finding = object({
  check: name('The check.', 64),
  status: z
    .enum(['pass', 'fail', 'waived', 'unknown', 'does_not_apply'], {
      error: 'must be one of pass, fail, waived, unknown and does_not_apply',
    })
    .meta({ description: 'What became of it.' }),
  workspace: place('Folder of the workspace; left out for the repository.'),
  path: place('The file that decided, if one did.'),
  line: count('Line in that file, from 1.').optional(),
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
    findings: list(finding, maxFindings).default([]).meta({
      description: 'The checks one by one: places, no text of the repository.',
    }),
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

const agenticScore = z
  .number()
  .min(0)
  .max(100)
  .meta({ description: "The service's own score, one decimal." });

const scorePart = z
  .object({
    name: prose('What is rated.'),
    points: z.number().min(0).meta({ description: 'What it adds, not rounded.' }),
    max_points: z.number().min(0).meta({ description: 'The most that it can add.' }),
  })
  .meta({ id: 'ScorePart' });

/** The answer of POST /codebases. */
export const scanAnswer = z
  .object({
    status: z.literal('ok'),
    codebase_id: uuid('The codebase; the same for every scan of it.'),
    metrics_id: uuid('The scan; the same for every push of its commit.'),
    contributions: whole('Contributions now stored for this scan.'),
    issues: whole('Issues now stored for this scan.'),
    agentic_score: agenticScore,
    score_parts: z.array(scorePart).meta({ description: 'What adds up to the score.' }),
  })
  .meta({ id: 'ScanAnswer' });

export type ScanAnswer = z.output<typeof scanAnswer>;

/** A scan in a list: without the lists that came with it. */
const scanSummary = z
  .object({
    head_sha: prose('The commit.'),
    readiness_level: z
      .enum(['L0', 'L1', 'L2', 'L3', 'L4', 'L5'])
      .meta({ description: "The client's level." }),
    readiness_pct: z.number().min(0).max(100).meta({ description: "The client's percentage." }),
    readiness_pillars: z
      .record(z.string(), z.object({ passed: whole('Checks passed.'), total: whole('Checks made.') }))
      .meta({ description: "The client's result by pillar." }),
    agentic_score: agenticScore,
    failed_checks: z
      .array(z.string())
      .meta({ description: 'The checks that failed, each once, if the client sent them.' }),
    pushed_at: instant('When the commit was scanned first.'),
  })
  .meta({ id: 'ScanSummary' });

const codebaseSummary = z
  .object({
    slug: slug('Unique in the team.'),
    full_name: prose('Owner/repository.'),
    provider: prose('Identifier of the hosting provider.'),
    newest_scan: scanSummary.nullable().meta({ description: 'Null if all its scans were forgotten.' }),
  })
  .meta({ id: 'Codebase' });

/** The codebase in the path of its scans. */
export const codebaseSegment: PathParameter = {
  name: 'slug',
  schema: prose('Slug of the codebase.'),
  example: 'rivers',
};

/** The answer of GET /codebases. */
export const codebasePage = z
  .object({ codebases: z.array(codebaseSummary).meta({ description: 'By slug.' }), ...listEnd })
  .meta({ id: 'CodebasePage' });

export type CodebasePage = z.output<typeof codebasePage>;

/** The answer of GET /codebases/{slug}/scans. */
export const scanPage = z
  .object({
    scans: z.array(scanSummary).meta({ description: 'The commit that came last first.' }),
    ...listEnd,
  })
  .meta({ id: 'ScanPage' });

export type ScanPage = z.output<typeof scanPage>;
