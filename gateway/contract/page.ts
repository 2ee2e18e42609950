import { z } from 'zod';
import { parseTime } from './time.ts';

/** Rows of a page at most; more are taken as this many (decisions §4). */
const limitMax = 200;

const once = (description: string) => z.string({ error: 'must be given once' }).meta({ description });

/** Parameters of every list: GET /items, /tasks and /decisions. */
export const pageParameters = z.object({
  since: once('Only rows changed after this time (ISO 8601).')
    .transform((text, context) => {
      const time = parseTime(text);
      if (time === undefined) context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time' });
      return time ?? 0;
    })
    .optional(),
  cursor: once('next_cursor of an earlier answer; wins over since.').optional(),
  limit: once('Rows wanted; default 50, more than 200 is taken as 200.')
    .regex(/^0*[1-9]\d*$/, 'must be a positive whole number')
    .transform((digits) => Math.min(Number(digits), limitMax))
    .optional(),
  include_deleted: once('Also one row for each item that is gone.')
    .pipe(z.enum(['true', 'false'], { error: 'must be true or false' }))
    .transform((word) => word === 'true')
    .optional(),
});

export type PageParameters = z.output<typeof pageParameters>;
