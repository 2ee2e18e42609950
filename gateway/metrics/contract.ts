import { z } from 'zod';
import { day, uuid, whole } from '../contract/answer-types.ts';
import {
  amount,
  count,
  level,
  name,
  object,
  text,
  unboundedAmount,
  wireForm,
} from '../contract/field-types.ts';

const maxWindowDays = 366;

const ratio = (description: string) => amount(description, 1).optional();
const measure = (description: string) => unboundedAmount(description).optional();

/** A signal that was not measured is left out. Unknown signals are dropped. */
const signals = object({
  delegation_ratio: ratio('Share of work delegated to agents.'),
  correction_loop_avg: measure('Mean length of a correction loop, in turns.'),
  error_rate: ratio('Share of tool calls that failed.'),
  cost_per_task: measure('US dollars per task.'),
  tokens_per_task: measure('Tokens per task.'),
  cache_hit_rate: ratio('Share of input tokens read from cache.'),
  tool_diversity: measure('Different tools used.'),
  verify_tool_rate: ratio('Share of tool calls that verify.'),
  subagent_usage: ratio('Share of tasks that used subagents.'),
});

const provisionalAxes = object({
  verification: measure('Its verification.'),
  context_hygiene: measure('Its context hygiene.'),
  autonomy: measure('Its autonomy.'),
  learning: measure('Its learning.'),
  cost_governance: measure('Its cost governance.'),
});

/** The body of POST /metrics. */
export const snapshotBody = object({
  // An empty handle names nobody, but to the service it would mean the caller.
  member: name('Handle in any case. The default is the member of the key.', 64)
    .refine((handle) => handle !== '', 'must be 1 to 64 characters')
    .optional(),
  metric: z.literal('aem-individual', { error: 'must be aem-individual' }),
  date: text('The day (UTC), at most one day ahead of the service.', { format: 'date' }),
  window_days: count('Days that the aggregate covers.', { minimum: 1, maximum: maxWindowDays }),
  signals,
  provisional: object({
    spine: level("The client's level.").optional(),
    axes: provisionalAxes.optional(),
  })
    .optional()
    .meta({ description: "The client's own placement, stored for provenance only." }),
  sessions: count('Sessions in the window.'),
  tasks: count('Tasks in the window.'),
}).meta({ id: 'Snapshot', description: 'The aggregate of one member for one day.' });

export type SnapshotBody = z.output<typeof snapshotBody>;

const axis = z.number().min(0).max(4);

/** The answer of POST /metrics. */
export const snapshotAnswer = z
  .object({
    status: z.literal('ok'),
    snapshot_id: uuid('The snapshot; the same for every push of its member, day and metric.'),
    member_id: uuid('The member whose snapshot it is.'),
    canonical: z
      .object({
        spine: z.enum(['L0', 'L1', 'L2', 'L3', 'L4', 'L5']),
        axes: z.object({
          verification: axis,
          context_hygiene: axis,
          autonomy: axis,
          learning: axis,
          cost_governance: axis,
        }),
      })
      .meta({ id: 'Placement', description: "The service's own placement, computed from the signals." }),
  })
  .meta({ id: 'SnapshotAnswer' });

const levelCounts = z.record(z.string(), whole('Members.'));

const teamPlacement = {
  members: whole('Members with a snapshot in the period that counts.'),
  withheld: z.boolean().meta({ description: 'Whether there are too few of them, below 3, to show figures.' }),
  spines: levelCounts.nullable().meta({ description: 'Members at each level, L0 to L5; null if withheld.' }),
  median_axes: z
    .record(z.string(), axis)
    .nullable()
    .meta({ description: 'The median of each axis in steps of 0.5; null if withheld.' }),
};

/** The parameters of GET /rollup. */
export const rollupParameters = z.object({
  weeks: z
    .string({ error: 'must be given once' })
    .regex(/^0*([1-9]|[1-4]\d|5[0-3])$/, 'must be a whole number from 1 to 53')
    .transform(Number)
    .register(wireForm, { type: 'integer', minimum: 1, maximum: 53, default: 12 })
    .meta({ description: 'Weeks to look back on, the present one included.' })
    .optional(),
});

/** The answer of GET /rollup. */
export const rollupAnswer = z
  .object({
    from: day('First day.'),
    to: day('Last day.'),
    rubric_version: whole('Version of the rubric that every figure is made by.'),
    current: z
      .object(teamPlacement)
      .meta({ id: 'TeamPlacement', description: 'Each member by the newest snapshot of all weeks.' }),
    trend: z
      .array(
        z.object({ week: day('Its Monday.'), ...teamPlacement }).meta({
          id: 'WeekPlacement',
          description: 'Each member by the newest snapshot of the week.',
        }),
      )
      .meta({ description: 'Every week, oldest first.' }),
  })
  .meta({ id: 'Rollup' });

export type RollupAnswer = z.output<typeof rollupAnswer>;
