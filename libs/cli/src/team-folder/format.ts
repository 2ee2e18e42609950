import { handlePattern, isSlug } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';

/** The folder of an exported team: its files, and what a line of each holds. docs/cli.md describes it to people. */

/** Has what the folder is, when it was made and how many lines each file has. */
export const manifestName = 'export.json';
/** Below it lie the items, each under its row_key. */
export const itemsFolder = 'items';

/** Kinds of rows; each has a file of JSON lines. */
export const rowKinds = ['items', 'decisions', 'tasks', 'projects', 'scans', 'snapshots'] as const;
export type RowKind = (typeof rowKinds)[number];

/** Returns the name of the file of a kind of rows. */
export function linesName(kind: RowKind): string {
  return `${kind}.jsonl`;
}

/** Grows when an older program would misread a folder. */
export const folderVersion = 1;

const count = z.number().int().min(0);
const slug = z.string().refine(isSlug, 'must be a slug');
const text = z.string();
const nullableText = text.nullable();

export const manifestSchema = z.object({
  format: z.literal('team-memory-export'),
  version: z.number().int().min(1),
  /** Of the program that made it. */
  product_version: text,
  exported_at: text,
  team: z.object({ slug, name: text }),
  members: z.array(z.object({ handle: z.string().regex(handlePattern), role: z.enum(['admin', 'member']) })),
  /** How far each feed had gone. */
  positions: z.object({ items: count, decisions: count, tasks: count }),
  counts: z.object({
    items: count,
    decisions: count,
    tasks: count,
    projects: count,
    scans: count,
    snapshots: count,
  }),
});
export type Manifest = z.infer<typeof manifestSchema>;

const wholeItem = z.object({
  content: text,
  frontmatter: z.record(text, z.unknown()),
  frontmatter_text: text.optional(),
});

export const itemLineSchema = z.object({
  row_key: text,
  /** Path below the folder; null for an item that cannot be a file everywhere. */
  file: nullableText,
  title: text.optional(),
  tier: text,
  checksum: text,
  updated_at: text,
  updated_by: text,
  /** Checksum of the file, if it is another one than that of the item. */
  file_checksum: text.optional(),
  /** The item itself, if reading the file does not return exactly it. */
  item: wholeItem.optional(),
});
export type ItemLine = z.infer<typeof itemLineSchema>;

export const decisionLineSchema = z.object({
  decision_id: text,
  title: text,
  body: text,
  status: z.enum(['proposed', 'accepted', 'superseded', 'rejected']),
  audience: z.enum(['team', 'external']),
  project: nullableText,
  decided_on: nullableText,
  updated_by: text,
  hidden: z.boolean(),
});

/** Tasks are made from items and decisions, so they are only read by people. */
export const taskLineSchema = z.looseObject({ task_id: text });

export const projectLineSchema = z.object({ slug, name: text, brain_only: z.boolean() });

export const scanLineSchema = z.object({
  codebase: z.object({ slug: text, full_name: text, provider: text }),
  metrics: z.object({
    head_sha: text,
    has_assistant_md: z.boolean(),
    has_agents_md: z.boolean(),
    skills_count: count,
    commands_count: count,
    readiness_level: text,
    readiness_pct: z.number(),
    readiness_pillars: z.record(text, z.object({ passed: count, total: count })),
    readiness_rubric_version: text,
    findings: z
      .array(z.object({ check: text, status: text, workspace: text, path: text, line: count }))
      .default([]),
  }),
  contributions: z.array(z.object({ member: text, commits: count, agent_commits: count })),
  issues: z.array(z.object({ number: count, title: text, state: text })),
  pushed_at: nullableText,
});

export const snapshotLineSchema = z.object({
  member: text,
  metric: text,
  date: text,
  window_days: count,
  signals: z.record(text, z.number()),
  provisional: z.object({ spine: text.optional(), axes: z.record(text, z.number()) }).optional(),
  sessions: count,
  tasks: count,
  counts_in_rollups: z.boolean(),
});

/** The text of the README in the folder, for whoever finds it without this program. */
export const readme = `# An exported team

Everything that a team had in its Team Memory Service, as text.

| file | what it has |
|---|---|
| \`export.json\` | the team, its members, when this was exported, how many lines each file has |
| \`items/\` | the items as Markdown files with front matter, each under its row_key |
| \`items.jsonl\` | one line for each item: its file, tier, checksum, time and author; the item itself in \`item\` if it has no file or its file differs |
| \`decisions.jsonl\` | decisions, hidden ones too |
| \`tasks.jsonl\` | tasks, made from items and decisions |
| \`projects.jsonl\` | projects |
| \`scans.jsonl\` | scans of codebases |
| \`snapshots.jsonl\` | snapshots of members: personal figures |

Each line of a \`.jsonl\` file is one JSON object. \`tms import\` brings the folder into a team. Keys, history of items, webhooks and
spending are not in it.
`;
