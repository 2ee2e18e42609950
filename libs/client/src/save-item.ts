import type { CallOptions } from './call-options.ts';
import type { Item, NewItem } from './item.ts';
import { ProblemError } from './problem-error.ts';
import type { TeamMemoryClient } from './team-memory-client.ts';

/** An item to save; its checksum is made from it. */
export interface TextItem {
  row_key: string;
  /** Markdown, at most 1 MiB. */
  content: string;
  /** Default: none. */
  frontmatter?: Record<string, unknown>;
  /** The front matter as its author wrote it, without the fences. */
  frontmatter_text?: string;
  /** Default: the tier of `base`, or else `team`. */
  tier?: string;
}

export interface SavedItem {
  /** The base of the next change. */
  checksum: string;
}

/** The version that was edited: an item that was read, a checksum, or null for an item that must not exist yet. */
export type ItemBase = Pick<Item, 'checksum' | 'tier'> | string | null;

/**
 * Pushes one item so that nobody's change is overwritten unseen. It is safe to call again with the same arguments after
 * any failure: an item that is already stored is not stored twice. Throws ProblemError with the code of the refusal,
 * such as `conflict` with the stored version's `currentChecksum`, and whatever `pushItems` throws.
 */
export async function saveItem(
  client: Pick<TeamMemoryClient, 'pushItems'>,
  { row_key, content, frontmatter = {}, frontmatter_text, tier }: TextItem,
  base: ItemBase,
  options?: CallOptions,
): Promise<SavedItem> {
  const item: NewItem = {
    row_key,
    content,
    frontmatter,
    frontmatter_text,
    tier: tier ?? (typeof base === 'object' && base !== null ? base.tier : 'team'),
    checksum: await checksumOf(wholeText({ content, frontmatter, frontmatter_text })),
    base_checksum: typeof base === 'object' && base !== null ? base.checksum : base,
  };
  const { errors } = await client.pushItems([item], options);
  const [refusal] = errors;
  if (refusal === undefined) return { checksum: item.checksum };
  const { code, detail, current_checksum: currentChecksum } = refusal;
  throw new ProblemError({ status: 422, code, detail, currentChecksum });
}

/**
 * Returns `sha256:` and the hex digest of bytes, or of a text in UTF-8. It uses Web Crypto, which browsers offer to
 * pages from https and localhost.
 */
export async function checksumOf(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The text of the file that the item would be, so that a change of the front matter changes the checksum, too. */
function wholeText({ content, frontmatter, frontmatter_text: text }: Omit<TextItem, 'row_key'>): string {
  if (text !== undefined)
    return `---\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}---\n${content}`;
  const isEmpty = frontmatter === undefined || Object.keys(frontmatter).length === 0;
  return isEmpty ? content : `---\n${JSON.stringify(frontmatter)}\n---\n${content}`;
}
