import { z } from 'zod';
import { instant } from './answer-types.ts';

/**
 * One page of a change feed (decisions §4).
 * @param id name of the schema in the document
 * @param name member that holds the rows
 */
export function pageAnswer(id: string, name: string, row: z.ZodType, deletedRow: z.ZodType) {
  return z
    .object({
      [name]: z.array(z.union([row, deletedRow])).meta({
        description: 'In the order of change, oldest first. Deleted rows only with include_deleted=true.',
      }),
      next_cursor: z
        .string()
        .min(1)
        .meta({ description: 'Where the next poll goes on; there on the last page too. Opaque.' }),
      has_more: z.boolean().meta({ description: 'Whether rows after this page are there already.' }),
    })
    .meta({ id });
}

/** What stands for a row that was removed, or that the key may no longer see: its identity and no more. */
export function deletedRow(id: string, identity: z.ZodRawShape) {
  return z
    .object({
      ...identity,
      updated_at: instant('When it went.'),
      deleted: z.literal(true),
    })
    .meta({ id, description: 'A row that was removed, or that this key may no longer see.' });
}
