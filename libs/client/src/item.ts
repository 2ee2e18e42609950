import { z } from 'zod';

/** An item to push. Field names are those of the wire. */
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
  /** Checksum of the version that was edited: the push is refused when the service holds another. */
  base_checksum?: string;
}

/** Front matter is checked, not copied: a copy would lose a key named `__proto__`. */
const frontmatterSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A row that was removed, or that this key may no longer see. */
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
  /** Where the next poll goes on; on the last page too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

export type Item = z.infer<typeof itemSchema>;
export type DeletedItem = z.infer<typeof deletedItemSchema>;
export type ItemPage = z.infer<typeof itemPageSchema>;
