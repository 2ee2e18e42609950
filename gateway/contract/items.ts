import { z } from 'zod';
import { text } from './field-types.ts';

/** Items of one batch (decisions §3). */
const batchMaxItems = 200;

/**
 * The shape of one item. Only types are checked here: what the values must be
 * is the content service's to say, item by item.
 */
export const itemShape = z.object({
  row_key: text('Relative POSIX path from the workspace root, in Unicode NFC.'),
  content: text('Markdown.'),
  frontmatter: z
    .custom<Record<string, unknown>>(isPlainObject, { error: 'must be an object' })
    .meta({ description: 'Stored and returned as given.' }),
  tier: text('admin, team or external, or a friendly name. Admin is refused.'),
  checksum: text('"sha256:" and 64 hexadecimal digits.'),
  base_checksum: text('Checksum of the version that this one was edited from.').optional(),
});

export type ItemShape = z.output<typeof itemShape>;

/** Names of tier admin (specification, "Tier vocabulary"), in any case. */
const privateNames: readonly unknown[] = ['admin', 'private', 'personal'];

/**
 * Whether a value that is not an item of the right shape says that it is
 * private, by its tier or audience. The content service judges all others.
 */
export function saysPrivate(value: unknown): boolean {
  const { tier, frontmatter } = (isPlainObject(value) ? value : {}) as Partial<ItemShape>;
  const { audience } = isPlainObject(frontmatter) ? frontmatter : {};
  return [tier, audience].some(
    (name) => typeof name === 'string' && privateNames.includes(name.trim().toLowerCase()),
  );
}

/** The body of POST /items; its items are checked one by one. */
export const pushBody = z.object(
  {
    items: z
      .array(z.unknown(), { error: 'must be an array' })
      .min(1, `must have 1 to ${batchMaxItems} items`)
      .max(batchMaxItems, `must have 1 to ${batchMaxItems} items`),
  },
  { error: 'must be an object' },
);

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
