import { type Item, pushItem } from '../../service/items.ts';

/**
 * Pushes an earlier version of an item again, for those who see the item now. `present` is the version that it replaces,
 * undefined for an item that was removed.
 * @throws Problem, with code `conflict` where another version has been stored meanwhile.
 */
export async function restoreItem(version: Item, present: Item | undefined): Promise<void> {
  const { row_key, content, frontmatter, frontmatter_text, checksum } = version;
  await pushItem({
    row_key,
    content,
    frontmatter,
    checksum,
    ...(frontmatter_text !== undefined && { frontmatter_text }),
    // Restoring a text must not show it to guests who could not see the item a moment ago.
    tier: present?.tier ?? 'team',
    base_checksum: present?.checksum ?? null,
  });
}
