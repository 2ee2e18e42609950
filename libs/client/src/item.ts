import * as z from 'zod';

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
  /**
   * Checksum of the version that was edited; null for an item that must not exist yet. The item is refused with
   * `conflict` if the service has another version. Without it the last writer wins.
   */
  base_checksum?: string | null;
  /** The front matter as its author wrote it, without the fences, at most 32 KiB. A push without it clears it. */
  frontmatter_text?: string;
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

/** What `view: 'summary'` leaves of an item. */
const itemSummarySchema = z.looseObject({
  row_key: z.string(),
  title: z.string().default(''),
  tier: z.string(),
  checksum: z.string(),
  updated_at: z.string(),
  updated_by: z.string().default(''),
  /** A guest wrote it: a key of tier external. */
  by_guest: z.literal(true).optional(),
  deleted: z.literal(false).optional(),
});

/** An item as lists and `GET /items/{row_key}` return it. Unknown fields are kept. */
export const itemSchema = itemSummarySchema.extend({
  content: z.string(),
  frontmatter: frontmatterSchema.default({}),
  /** The front matter as its author wrote it, if the push had it. */
  frontmatter_text: z.string().optional(),
});

/** One page of the change feed, oldest change first. Unknown fields are kept. */
export const itemPageSchema = z.looseObject({
  items: z.array(z.union([deletedItemSchema, itemSchema])),
  /** The cursor of the next request. The last page has one, too. */
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

/** One page of the change feed without contents. */
export const itemSummaryPageSchema = z.looseObject({
  items: z.array(z.union([deletedItemSchema, itemSummarySchema])),
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

/** With what a version was written, by the account of the program itself. Only team keys see it. */
const writtenWithSchema = z
  .looseObject({
    key_id: z.string(),
    client: z.string().optional(),
    /** Handle of the member who proposed what this key accepted. */
    proposed_by: z.string().optional(),
  })
  .optional();

/** A version that removed the item. */
const removalSchema = z.looseObject({
  /** From 1; a higher number is a later version. */
  revision: z.number(),
  /** Of what was removed. */
  checksum: z.string().optional(),
  tier: z.string().optional(),
  updated_at: z.string(),
  updated_by: z.string().default(''),
  written_with: writtenWithSchema,
  deleted: z.literal(true),
  /** The item was erased: no text is left of the versions that went with it. */
  erased: z.literal(true).optional(),
});

/** One page of the versions of an item, newest first. Unknown fields are kept. */
export const itemVersionPageSchema = z.looseObject({
  versions: z.array(
    z.union([
      removalSchema,
      z.looseObject({
        /** From 1; a higher number is a later version. */
        revision: z.number(),
        checksum: z.string(),
        tier: z.string(),
        updated_at: z.string(),
        updated_by: z.string().default(''),
        by_guest: z.literal(true).optional(),
        written_with: writtenWithSchema,
        deleted: z.literal(false).optional(),
      }),
    ]),
  ),
  next_cursor: z.string().nullish(),
  has_more: z.boolean(),
});

/** A version of an item, whole, or that it was removed. */
export const itemVersionSchema = z.union([
  removalSchema,
  itemSchema.extend({ revision: z.number(), written_with: writtenWithSchema }),
]);

export type Item = z.infer<typeof itemSchema>;
export type DeletedItem = z.infer<typeof deletedItemSchema>;
export type ItemPage = z.infer<typeof itemPageSchema>;
export type ItemSummary = z.infer<typeof itemSummarySchema>;
export type ItemSummaryPage = z.infer<typeof itemSummaryPageSchema>;
export type ItemVersionPage = z.infer<typeof itemVersionPageSchema>;
export type ItemVersion = z.infer<typeof itemVersionSchema>;

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
  /** Items of `accepted` that wait for a reviewer. Only for keys with access `propose`. */
  proposed: z.number().optional(),
  rejected: z.number(),
  errors: z.array(itemErrorSchema),
});

export type ItemError = z.infer<typeof itemErrorSchema>;
export type PushResult = z.infer<typeof pushResultSchema>;
