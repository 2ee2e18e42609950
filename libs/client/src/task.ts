import { z } from 'zod';

/** A task that is gone, or that this key may no longer see. */
const deletedTaskSchema = z.looseObject({
  task_id: z.string(),
  updated_at: z.string(),
  deleted: z.literal(true),
});

const taskSchema = z.looseObject({
  task_id: z.string(),
  title: z.string(),
  status: z.string(),
  owner: z.string().nullable(),
  /** YYYY-MM-DD. */
  due: z.string().nullable(),
  project: z.string().nullable(),
  tags: z.array(z.string()),
  tier: z.string(),
  source: z.looseObject({
    /** Null for a task in the body of a decision, which `decision_id` names then. */
    row_key: z.string().nullable(),
    /** From 1. */
    line: z.number(),
    heading: z.string().nullable(),
    decision_id: z.string().optional(),
  }),
  updated_at: z.string(),
  deleted: z.literal(false).optional(),
});

/** One page of the task feed, oldest change first. Unknown fields are kept. */
export const taskPageSchema = z.looseObject({
  tasks: z.array(z.union([deletedTaskSchema, taskSchema])),
  /** Where the next poll goes on; on the last page too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

export type TaskPage = z.infer<typeof taskPageSchema>;
