import { checksumPattern } from '@teammemory/vocabulary/checksum.ts';
import { maxBatchItems, maxContentBytes } from '@teammemory/vocabulary/limits.ts';
import { contentSaysPrivate, frontmatterSaysPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { z } from 'zod';
import { text } from './field-types.ts';
import { wireForm } from './wire-form.ts';

const checksumForm = { pattern: checksumPattern.source };

/**
 * The shape of one item. Only types are checked here: what the values must be
 * is the content service's to say, item by item.
 */
export const itemShape = z
  .object({
    row_key: text(
      'Relative POSIX path from the workspace root: Unicode NFC, at most 1,024 bytes of UTF-8, no empty, "." or ".." segment, no backslash, no control character.',
      {
        minLength: 1,
        maxLength: maxRowKeyBytes,
        pattern: '^(?!\\.{0,2}(/|$))(?!.*/\\.{0,2}(/|$))[^\\\\\\u0000-\\u001f\\u007f-\\u009f]+$',
      },
    ),
    content: text('Markdown, at most 1 MiB of UTF-8.', { maxLength: maxContentBytes }),
    frontmatter: z
      .custom<Record<string, unknown>>(isPlainObject, { error: 'must be an object' })
      .register(wireForm, { type: 'object' })
      .meta({ description: 'Stored and returned as given: at most 32 KiB of JSON and 8 levels deep.' }),
    tier: text(
      'team or external, or client or company for external, in any case. admin, private and personal are refused.',
      { enum: ['team', 'external', 'client', 'company'] },
    ),
    checksum: text("The client's checksum of this version: compared, never recomputed.", checksumForm),
    base_checksum: text('Checksum of the version that this one was edited from.', checksumForm).optional(),
  })
  .meta({ id: 'ItemToPush' });

export type ItemShape = z.output<typeof itemShape>;

/**
 * Whether a value that is not an item of the right shape says that it is
 * private, by its tier or audience. The content service judges all others.
 */
export function saysPrivate(value: unknown): boolean {
  const { tier, frontmatter, content } = (isPlainObject(value) ? value : {}) as Record<string, unknown>;
  return (
    frontmatterSaysPrivate({ tier }) ||
    frontmatterSaysPrivate(frontmatter) ||
    (typeof content === 'string' && contentSaysPrivate(content))
  );
}

/** The body of POST /items; its items are checked one by one. */
export const pushBody = batchOf(z.unknown());

/** The same as clients should write it. */
export const describedPushBody = batchOf(itemShape).meta({ id: 'Push' });

function batchOf<Entry extends z.ZodType>(entry: Entry) {
  const size = `must have 1 to ${maxBatchItems} items`;
  return z.object(
    { items: z.array(entry, { error: 'must be an array' }).min(1, size).max(maxBatchItems, size) },
    { error: 'must be an object' },
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
