import { api } from '../../service/api.ts';
import { Problem } from '../../service/problem.ts';

/** An item whole, as the public API writes it. */
export interface Item {
  row_key: string;
  title: string;
  content: string;
  frontmatter: Record<string, unknown>;
  /** Absent where its author sent none. */
  frontmatter_text?: string;
  tier: 'team' | 'external';
  checksum: string;
  updated_at: string;
  updated_by: string;
  /** Whether a guest wrote it. */
  by_guest?: true;
}

interface PushAnswer {
  accepted: number;
  rejected: number;
  errors: { code: string; detail: string }[];
}

/**
 * Pushes an earlier version of an item again, for those who see the item now. `present` is the version that it replaces,
 * undefined for an item that was removed.
 * @throws Problem, with code `conflict` where another version has been stored meanwhile.
 */
export async function restoreItem(version: Item, present: Item | undefined): Promise<void> {
  const { row_key, content, frontmatter, frontmatter_text, checksum } = version;
  const item = {
    row_key,
    content,
    frontmatter,
    checksum,
    ...(frontmatter_text !== undefined && { frontmatter_text }),
    // Restoring a text must not show it to guests who could not see the item a moment ago.
    tier: present?.tier ?? 'team',
    base_checksum: present?.checksum ?? null,
  };
  const { errors } = await api<PushAnswer>('POST', '/items', { items: [item] });
  const [refusal] = errors;
  if (refusal !== undefined) throw new Problem(refusal.code, refusal.detail);
}
