import type { ItemDraft } from './item.ts';

/** Returns a checksum in the right form, different for each hexadecimal digit. */
export function checksumOf(digit: string): string {
  return `sha256:${digit.repeat(64)}`;
}

/** Returns a draft that every rule accepts, with a test's changes. */
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
