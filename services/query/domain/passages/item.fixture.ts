import type { FeedItem } from './item-feed.ts';
import type { ItemPassages } from './passage.ts';
import { cutIntoPassages } from './passages.ts';

/** An item of the feed, named and titled after its position, with what a test wants to be different. */
export function feedItem(seq: number, content: string, changed: Partial<FeedItem> = {}): FeedItem {
  return { seq, rowKey: `notes/${seq}.md`, tier: 'team', title: `Note ${seq}`, content, ...changed };
}

/** The same item as it is stored. */
export function itemPassages(seq: number, content: string, changed: Partial<FeedItem> = {}): ItemPassages {
  const { rowKey, tier, title, content: text, fields } = feedItem(seq, content, changed);
  return { seq, rowKey, tier, title, passages: cutIntoPassages(text), ...(fields && { fields }) };
}
