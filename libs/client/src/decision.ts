import { z } from 'zod';
import { decisionRowsSchema } from './decision-record.ts';

/** One page of the decision feed, oldest change first. Unknown fields are kept. */
export const decisionPageSchema = z.looseObject({
  decisions: decisionRowsSchema,
  /** Where the next poll goes on; on the last page too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

export type DecisionPage = z.infer<typeof decisionPageSchema>;
