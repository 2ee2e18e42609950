import type { Item, ItemDraft } from './item.ts';

/** A checksum in the right form, different for each letter or digit of hexadecimal. */
export function checksumOf(digit: string): string {
  return `sha256:${digit.repeat(64)}`;
}

/** A draft that every rule accepts, with what a test wants to be different. */
export function itemDraft(changed: Partial<ItemDraft> = {}): ItemDraft {
  return {
    rowKey: 'notes/a.md',
    content: '# A\n',
    frontmatterJson: '{}',
    tier: 'team',
    checksum: checksumOf('a'),
    ...changed,
  };
}

/** A stored item at a position; written `seq` milliseconds after the epoch, in external feeds by its tier. */
export function storedItem(rowKey: string, seq: number, changed: Partial<Item> = {}): Item {
  const tier = changed.tier ?? 'team';
  return {
    rowKey,
    seq,
    updatedAtMs: seq,
    tier,
    deleted: false,
    checksum: checksumOf('a'),
    revision: 1,
    externalAtMs: tier === 'external' ? seq : null,
    json: Buffer.from(JSON.stringify({ row_key: rowKey, seq })),
    ...changed,
  };
}
