import { z } from 'zod';
import { amount, count, level, list, name, object, text } from './field-types.ts';

/** Contributions, and issues, of one scan (decisions §8). */
const rowsMax = 10_000;

const flag = (description: string) => z.boolean({ error: 'must be true or false' }).meta({ description });

const pillar = object({
  passed: count('Checks passed, at most total.'),
  total: count('Checks made.'),
});

/** The body of POST /codebases. */
export const scanBody = object({
  codebase: object({
    slug: text('Unique in the team.', { pattern: '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$' }),
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
    readiness_pillars: z
      .record(name('Name of a pillar.', 64), pillar, { error: 'must be an object' })
      .meta({ description: "The client's result by pillar, at most 100.", maxProperties: 100 }),
    readiness_rubric_version: name("Version of the client's rubric.", 64),
  }),
  contributions: list(
    object({
      member: name('Whose commits.', 64),
      commits: count('Commits.'),
      agent_commits: count('Of those, made by an agent: at most commits.'),
    }),
    rowsMax,
  ).default([]),
  issues: list(
    object({
      number: count('Number of the issue.'),
      title: text('Its title.', { maxLength: 500 }),
      state: text('Its state, as the provider names it.', { maxLength: 32 }),
    }),
    rowsMax,
  )
    .default([])
    .meta({ description: 'At most 8 MiB of JSON.' }),
}).meta({ id: 'Scan', description: 'What was found in a codebase at one commit.' });

export type ScanBody = z.output<typeof scanBody>;
