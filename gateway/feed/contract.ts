import { z } from 'zod';
import { instant } from '../contract/answer-types.ts';
import { wireForm } from '../contract/field-types.ts';
import { parseTime } from './time.ts';

/** Rows of a page at most; more are taken as this many (decisions §4). */
const limitMax = 200;

const once = (description: string) => z.string({ error: 'must be given once' }).meta({ description });

/** Parameters of every list, GET /items, /tasks and /decisions, as they are documented. */
export const pageParameters = z.object({
  since: once(
    'Only rows that changed after this time: ISO 8601, any offset; without one it is UTC, a day is its midnight.',
  )
    .transform((text, context) => {
      const time = parseTime(text);
      if (time === undefined) context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time' });
      return time ?? 0;
    })
    .register(wireForm, { type: 'string', format: 'date-time' })
    .optional(),
  cursor: once(
    'next_cursor of an earlier answer; with one, since is ignored, whatever it says. Empty means none.',
  ).optional(),
  limit: once('Rows wanted; default 50, more than 200 is taken as 200.')
    .regex(/^0*[1-9]\d*$/, 'must be a positive whole number')
    .transform((digits) => Math.min(Number(digits), limitMax))
    .register(wireForm, { type: 'integer', minimum: 1, default: 50 })
    .optional(),
  include_deleted: once('Whether rows that are gone come too, as their identity and no more.')
    .pipe(z.enum(['true', 'false'], { error: 'must be true or false' }))
    .transform((word) => word === 'true')
    .register(wireForm, { type: 'boolean', default: false })
    .optional(),
});

export type PageParameters = z.output<typeof pageParameters>;

/** What the query of a list must be: with a cursor `since` is not even looked at (decisions §4). */
export const pageQuery = z.preprocess(withoutIgnoredSince, pageParameters);

function withoutIgnoredSince(query: unknown): unknown {
  const { since: _, ...rest } = query as Record<string, unknown>;
  return typeof rest.cursor === 'string' && rest.cursor !== '' ? rest : query;
}

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
