import * as z from 'zod';

/** A task that is gone or that this key may no longer see. */
const deletedTaskSchema = z.looseObject({
  task_id: z.string(),
  updated_at: z.string(),
  deleted: z.literal(true),
});

/** Where a task stands. Services before 0.2 had no row_key for the body of a decision. */
const taskSourceSchema = z.preprocess(
  (source) => {
    const { row_key, decision_id } = (source ?? {}) as Record<string, unknown>;
    return row_key === null ? { ...(source as object), row_key: `decisions/${decision_id}` } : source;
  },
  z.looseObject({
    /** `decisions/<decision_id>` for a task in the body of a decision. */
    row_key: z.string(),
    /** From 1. */
    line: z.number(),
    heading: z.string().nullable(),
    decision_id: z.string().optional(),
  }),
);

/** A task, as lists and `GET /tasks/{task_id}` return it. Unknown fields are kept. */
export const taskSchema = z.looseObject({
  task_id: z.string(),
  title: z.string(),
  status: z.string(),
  owner: z.string().nullable(),
  /** YYYY-MM-DD. */
  due: z.string().nullable(),
  project: z.string().nullable(),
  tags: z.array(z.string()),
  tier: z.string(),
  source: taskSourceSchema,
  updated_at: z.string(),
  deleted: z.literal(false).optional(),
});

/** One page of the task feed, oldest change first. Unknown fields are kept. */
export const taskPageSchema = z.looseObject({
  tasks: z.array(z.union([deletedTaskSchema, taskSchema])),
  /** The cursor of the next request. The last page has one, too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

export type Task = z.infer<typeof taskSchema>;
export type TaskPage = z.infer<typeof taskPageSchema>;
/** A task, or what remains of one that is gone. */
export type TaskRow = TaskPage['tasks'][number];

/** The row of a hidden decision. */
const hiddenDecisionSchema = z.looseObject({
  decision_id: z.string(),
  updated_at: z.string(),
  deleted: z.literal(true),
});

/** A decision, as lists and `GET /decisions/{decision_id}` return it. Unknown fields are kept. */
export const decisionSchema = z.looseObject({
  decision_id: z.string(),
  title: z.string(),
  body: z.string(),
  status: z.string(),
  audience: z.string(),
  project: z.string().nullable(),
  decided_on: z.string().nullable(),
  updated_at: z.string(),
  updated_by: z.string(),
  deleted: z.literal(false).optional(),
});

/** Rows of the decision feed. Unknown fields are kept. */
export const decisionRowsSchema = z.array(z.union([hiddenDecisionSchema, decisionSchema]));

export type Decision = z.infer<typeof decisionSchema>;
/** A decision, or what remains of a hidden one. */
export type DecisionRow = z.infer<typeof decisionRowsSchema>[number];

/** One page of the decision feed, oldest change first. Unknown fields are kept. */
export const decisionPageSchema = z.looseObject({
  decisions: decisionRowsSchema,
  /** The cursor of the next request. The last page has one, too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

export type DecisionPage = z.infer<typeof decisionPageSchema>;

/** All projects of a team, ordered by slug. Unknown fields are kept. */
export const projectListSchema = z.looseObject({
  projects: z.array(
    z.looseObject({
      slug: z.string(),
      name: z.string(),
      /** True if the project was created on the service side and no item mentions it. */
      brain_only: z.boolean(),
    }),
  ),
});

export type ProjectList = z.infer<typeof projectListSchema>;
