import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import { z } from 'zod';
import { instant } from '../contract/answer-types.ts';
import { wireForm } from '../contract/field-types.ts';
import type { Operation } from '../contract/operation.ts';
import { parseTime } from './time.ts';

const once = (description: string) => z.string({ error: 'must be given once' }).meta({ description });

/** The documented parameters of every feed: GET /items, /tasks and /decisions. */
export const pageParameters = z.object({
  since: once(
    'Only rows that changed after this time: ISO 8601 with any offset. A time without an offset is UTC; a day means its midnight.',
  )
    .transform((text, context) => {
      const time = parseTime(text);
      if (time === undefined) context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time' });
      return time ?? 0;
    })
    .register(wireForm, { type: 'string', format: 'date-time' })
    .optional(),
  cursor: once(
    'next_cursor of an earlier answer. With a cursor, since is ignored, even if it is invalid. Empty means no cursor.',
  ).optional(),
  limit: once('Maximum number of rows. The default is 50; more than 200 is taken as 200.')
    .regex(/^0*[1-9]\d*$/, 'must be a positive whole number')
    .transform((digits) => Math.min(Number(digits), maxPageRows))
    .register(wireForm, { type: 'integer', minimum: 1, default: 50 })
    .optional(),
  include_deleted: once('Whether to include deleted rows. Of these only the identity is sent.')
    .pipe(z.enum(['true', 'false'], { error: 'must be true or false' }))
    .transform((word) => word === 'true')
    .register(wireForm, { type: 'boolean', default: false })
    .optional(),
});

export type PageParameters = z.output<typeof pageParameters>;

/** Returns the schema of the query of a feed: with a cursor, `since` is not read at all (docs/contract.md, "Pull"). */
export function feedQuery<Parameters extends z.ZodType>(parameters: Parameters) {
  return z.preprocess(withoutIgnoredSince, parameters);
}

/** The query of a feed that has no parameters but those of every feed. */
export const pageQuery = feedQuery(pageParameters);

function withoutIgnoredSince(query: unknown): unknown {
  const { since: _, ...rest } = query as Record<string, unknown>;
  return typeof rest.cursor === 'string' && rest.cursor !== '' ? rest : query;
}

/** The parameters of a list that is no feed: it ends. */
export const listParameters = pageParameters.pick({ limit: true }).extend({
  cursor: once('next_cursor of the page before. Empty means no cursor.').optional(),
});

/** The members of such a list beside its rows. */
export const listEnd = {
  next_cursor: z
    .string()
    .min(1)
    .nullable()
    .meta({ description: 'The cursor of the next page; null on the last one. Opaque.' }),
  has_more: z.boolean().meta({ description: 'Whether more rows exist after this page.' }),
};

/**
 * Returns the schema of one page of a feed (docs/contract.md, "Pull").
 * @param id name of the schema in the OpenAPI document
 * @param name member that contains the rows
 */
export function pageAnswer(id: string, name: string, row: z.ZodType, deletedRow: z.ZodType) {
  return z
    .object({
      [name]: z.array(z.union([row, deletedRow])).meta({
        description:
          'In the order of their changes, oldest first. Deleted rows only with include_deleted=true.',
      }),
      next_cursor: z
        .string()
        .min(1)
        .meta({ description: 'The cursor of the next poll. The last page has one too. Opaque.' }),
      has_more: z.boolean().meta({ description: 'Whether more rows exist after this page.' }),
    })
    .meta({ id });
}

/** Returns how an operation answers one page of a feed. `rows` are those of the example in the OpenAPI document. */
export function answeredPage(name: string, schema: z.ZodType, rows: readonly object[]): Operation['answer'] {
  const example = { [name]: rows, next_cursor: 'dGhlLW5leHQtcG9sbA', has_more: false };
  return {
    description: 'A page, the oldest change first.',
    content: { mediaType: 'application/json', schema, example },
  };
}

/** Returns the schema of a row that was deleted, or that the key may no longer see: its identity only. */
export function deletedRow(id: string, identity: z.ZodRawShape) {
  return z
    .object({
      ...identity,
      updated_at: instant('When it was deleted or hidden.'),
      deleted: z.literal(true),
    })
    .meta({ id, description: 'A row that was deleted, or that this key may no longer see.' });
}
