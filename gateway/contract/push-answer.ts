import { z } from 'zod';
import { prose, whole } from './answer-types.ts';

const refusedItem = z
  .object({
    index: whole('Place of the item in the batch, from 0.'),
    row_key: prose('As it was sent, cut at 1,024 characters; empty where it was no text.'),
    code: z.enum(['admin_tier', 'invalid_request', 'forbidden_tier', 'conflict', 'quota_exceeded']),
    detail: prose('What is wrong, for people.'),
    current_checksum: prose('With conflict: the stored checksum, null where nothing is stored.')
      .nullable()
      .optional(),
  })
  .meta({ id: 'RefusedItem', description: 'One item that was not stored.' });

/** One refused item, as the answer lists it (decisions §3). */
export type RefusedItem = z.output<typeof refusedItem>;

/** What became of a batch; the answer and the problem of POST /items have these members. */
export const pushCounts = {
  accepted: whole('Items stored, and those that were stored already.'),
  rejected: whole('Items that were not stored.'),
  errors: z.array(refusedItem).meta({ description: 'One entry for each rejected item, in order.' }),
};

/** The answer of POST /items. */
export const pushAnswer = z.object(pushCounts).meta({ id: 'PushAnswer' });

export type PushAnswer = z.output<typeof pushAnswer>;
