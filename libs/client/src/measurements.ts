import * as z from 'zod';

/** The scan of a codebase at a commit. Scanning the same commit again replaces it. */
export const scanSchema = z.object({
  codebase: z.object({
    slug: z.string(),
    /** Such as `owner/repository`. */
    full_name: z.string(),
    provider: z.string(),
  }),
  metrics: z.object({
    head_sha: z.string(),
    has_assistant_md: z.boolean(),
    has_agents_md: z.boolean(),
    skills_count: z.number(),
    commands_count: z.number(),
    /** `L0` to `L5`. */
    readiness_level: z.string(),
    /** 0 to 100. */
    readiness_pct: z.number(),
    readiness_pillars: z.record(z.string(), z.object({ passed: z.number(), total: z.number() })),
    readiness_rubric_version: z.string(),
    /** The checks one by one, at most 200. */
    findings: z
      .array(
        z.object({
          check: z.string(),
          status: z.enum(['pass', 'fail', 'waived', 'unknown', 'does_not_apply']),
          workspace: z.string().optional(),
          path: z.string().optional(),
          line: z.number().optional(),
        }),
      )
      .optional(),
  }),
  contributions: z
    .array(z.object({ member: z.string(), commits: z.number(), agent_commits: z.number() }))
    .optional(),
  issues: z.array(z.object({ number: z.number(), title: z.string(), state: z.string() })).optional(),
});

export type Scan = z.infer<typeof scanSchema>;

export const scanResultSchema = z.looseObject({
  status: z.string(),
  codebase_id: z.string(),
  metrics_id: z.string(),
  /** Rows that are now stored for the scan. */
  contributions: z.number(),
  issues: z.number(),
  /** 0 to 100, one decimal. Services before 0.2 do not tell it. */
  agentic_score: z.number().optional(),
  score_parts: z
    .array(z.looseObject({ name: z.string(), points: z.number(), max_points: z.number() }))
    .optional(),
});

export type ScanResult = z.infer<typeof scanResultSchema>;

const axes = {
  verification: z.number(),
  context_hygiene: z.number(),
  autonomy: z.number(),
  learning: z.number(),
  cost_governance: z.number(),
};

/** The ratios and counts of one member for one day. Pushing the same day again replaces them. */
export const snapshotSchema = z.object({
  /** Handle; default: the key's member. */
  member: z.string().optional(),
  metric: z.literal('aem-individual'),
  /** YYYY-MM-DD, in UTC. */
  date: z.string(),
  /** Days that the numbers cover, 1 to 366. */
  window_days: z.number(),
  /** A signal that was not measured is left out. */
  signals: z.object({
    delegation_ratio: z.number().optional(),
    correction_loop_avg: z.number().optional(),
    error_rate: z.number().optional(),
    cost_per_task: z.number().optional(),
    tokens_per_task: z.number().optional(),
    cache_hit_rate: z.number().optional(),
    tool_diversity: z.number().optional(),
    verify_tool_rate: z.number().optional(),
    subagent_usage: z.number().optional(),
  }),
  /** The client's own placement, kept as provenance only. */
  provisional: z
    .object({ spine: z.string().optional(), axes: z.object(axes).partial().optional() })
    .optional(),
  sessions: z.number(),
  tasks: z.number(),
});

export type Snapshot = z.infer<typeof snapshotSchema>;

export const snapshotResultSchema = z.looseObject({
  status: z.string(),
  snapshot_id: z.string(),
  member_id: z.string(),
  /** The placement that counts: the service computes it from the signals. */
  canonical: z.looseObject({ spine: z.string(), axes: z.looseObject(axes) }),
});

export type SnapshotResult = z.infer<typeof snapshotResultSchema>;

const scanSummarySchema = z.looseObject({
  head_sha: z.string(),
  /** `L0` to `L5`. */
  readiness_level: z.string(),
  /** 0 to 100. */
  readiness_pct: z.number(),
  readiness_pillars: z.record(z.string(), z.looseObject({ passed: z.number(), total: z.number() })),
  /** The service's own score, 0 to 100, one decimal. */
  agentic_score: z.number(),
  /** The checks that failed, each once, if the client sent them. */
  failed_checks: z.array(z.string()),
  /** When the commit was scanned first. */
  pushed_at: z.string(),
});

/** The end of a page; `next_cursor` is null on the last one. */
const pageEnd = { next_cursor: z.string().nullable(), has_more: z.boolean() };

/** A page of codebases, by slug. */
export const codebasePageSchema = z.looseObject({
  codebases: z.array(
    z.looseObject({
      slug: z.string(),
      full_name: z.string(),
      provider: z.string(),
      /** Null if all its scans were forgotten. */
      newest_scan: scanSummarySchema.nullable(),
    }),
  ),
  ...pageEnd,
});

export type CodebasePage = z.infer<typeof codebasePageSchema>;

/** A page of the scans of a codebase, the commit that came last first. */
export const scanPageSchema = z.looseObject({ scans: z.array(scanSummarySchema), ...pageEnd });

export type ScanPage = z.infer<typeof scanPageSchema>;

const placement = {
  members: z.number(),
  /** True if there are too few members to show figures, which are null then. */
  withheld: z.boolean(),
  /** Members at each level, L0 to L5. */
  spines: z.record(z.string(), z.number()).nullable(),
  /** 0 to 4. */
  median_axes: z.record(z.string(), z.number()).nullable(),
};

/** How the members of a team are placed, now and in each week. */
export const rollupSchema = z.looseObject({
  /** YYYY-MM-DD. */
  from: z.string(),
  to: z.string(),
  rubric_version: z.number(),
  /** Each member by the newest snapshot of all weeks. */
  current: z.looseObject(placement),
  /** Each week, named by its Monday, oldest first. */
  trend: z.array(z.looseObject({ week: z.string(), ...placement })),
});

export type Rollup = z.infer<typeof rollupSchema>;
