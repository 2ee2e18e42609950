import { z } from 'zod';

/** One item that the service did not take. */
export const itemErrorSchema = z.looseObject({
  /** Position in the batch, from 0. */
  index: z.number(),
  row_key: z.string().optional(),
  /** Stable code, such as `admin_tier`, `conflict` or `invalid_request`. */
  code: z.string(),
  detail: z.string(),
  /** For `conflict`: checksum of the version that the service holds. */
  current_checksum: z.string().nullish(),
});

/** The answer to a push: `accepted` counts stored items and no-ops. */
export const pushResultSchema = z.looseObject({
  accepted: z.number(),
  rejected: z.number(),
  errors: z.array(itemErrorSchema),
});

export type ItemError = z.infer<typeof itemErrorSchema>;
export type PushResult = z.infer<typeof pushResultSchema>;
