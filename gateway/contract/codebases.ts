import { z } from 'zod';
import { amount, count, level, list, object, text } from './field-types.ts';

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
    slug: text('Unique in the team: 1 to 64 of a-z, 0-9 and -.'),
    full_name: text('Owner/repository, 1 to 300 characters.'),
    provider: text('Identifier of the hosting provider, 1 to 64 characters.'),
  }),
  metrics: object({
    head_sha: text('The commit, 1 to 128 characters.'),
    has_assistant_md: flag("Whether the assistant's instruction file is there."),
    has_agents_md: flag('Whether the agents file is there.'),
    skills_count: count('Skills found.'),
    commands_count: count('Commands found.'),
    readiness_level: level("The client's level."),
    readiness_pct: amount("The client's percentage.", 100),
    readiness_pillars: z
      .record(text('Name, 1 to 64 characters.'), pillar, { error: 'must be an object' })
      .meta({ description: "The client's result by pillar, at most 100." }),
    readiness_rubric_version: text("Version of the client's rubric, 1 to 64 characters."),
  }),
  contributions: list(
    object({
      member: text('Whose commits, 1 to 64 characters.'),
      commits: count('Commits.'),
      agent_commits: count('Of those, made by an agent.'),
    }),
    rowsMax,
  ).default([]),
  issues: list(
    object({
      number: count('Number of the issue.'),
      title: text('At most 500 characters.'),
      state: text('At most 32 characters.'),
    }),
    rowsMax,
  ).default([]),
});

export type ScanBody = z.output<typeof scanBody>;
