import { z } from 'zod';

/** An item to push, with the field names of the public API. */
export interface NewItem {
  /** Relative POSIX path, NFC, 1 to 1,024 bytes: the item's identity. */
  row_key: string;
  /** Markdown, at most 1 MiB. */
  content: string;
  /** At most 32 KiB as JSON and 8 levels deep. */
  frontmatter: Record<string, unknown>;
  tier: string;
  /** `sha256:` and 64 hex digits. */
  checksum: string;
  /** Checksum of the version that was edited. The push is refused if the service has another version. */
  base_checksum?: string;
}

/** Front matter is checked but not copied: a copy would lose a key named `__proto__`. */
const frontmatterSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A row that was removed or that this key may no longer see. */
const deletedItemSchema = z.looseObject({
  row_key: z.string(),
  updated_at: z.string(),
  deleted: z.literal(true),
});

const itemSchema = z.looseObject({
  row_key: z.string(),
  title: z.string().default(''),
  content: z.string(),
  frontmatter: frontmatterSchema.default({}),
  tier: z.string(),
  checksum: z.string(),
  updated_at: z.string(),
  updated_by: z.string().default(''),
  deleted: z.literal(false).optional(),
});

/** One page of the change feed, oldest change first. Unknown fields are kept. */
export const itemPageSchema = z.looseObject({
  items: z.array(z.union([deletedItemSchema, itemSchema])),
  /** The cursor of the next request. The last page has one, too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

export type Item = z.infer<typeof itemSchema>;
export type DeletedItem = z.infer<typeof deletedItemSchema>;
export type ItemPage = z.infer<typeof itemPageSchema>;

/** An item that the service refused. */
const itemErrorSchema = z.looseObject({
  /** Index in the batch, from 0. */
  index: z.number(),
  row_key: z.string().optional(),
  /** Stable code, such as `admin_tier`, `conflict` or `invalid_request`. */
  code: z.string(),
  detail: z.string(),
  /** For `conflict`: checksum of the version that the service has. */
  current_checksum: z.string().nullish(),
});

/** The answer to a push. `accepted` also counts items that the service already had. */
export const pushResultSchema = z.looseObject({
  accepted: z.number(),
  rejected: z.number(),
  errors: z.array(itemErrorSchema),
});

export type ItemError = z.infer<typeof itemErrorSchema>;
export type PushResult = z.infer<typeof pushResultSchema>;
