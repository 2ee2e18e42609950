import type { Fields } from './fields.ts';
import type { DocumentKind, Tier } from './passage.ts';

/** The present state of an item at its place in the team's item feed. */
export interface FeedItem {
  /** Position; a higher one is newer. */
  seq: number;
  rowKey: string;
  /** 'item' where it is left out. */
  kind?: DocumentKind | undefined;
  tier: Tier;
  title: string;
  /** Markdown; empty for a removed item. */
  content: string;
  /** As far as the item says them outside its title and content. */
  fields?: Fields | undefined;
  /** Id of the member who wrote it; absent where that is not known, and for a removed item. */
  writerId?: string | undefined;
  /** Whether nothing that was made of it may be left. */
  isErased?: true | undefined;
}

/** Part of a feed. */
export interface FeedPage {
  /** Lowest position first. */
  items: readonly FeedItem[];
  /** Newest position of the team after the items were read: what moved on meanwhile stands behind the last item. */
  headSeq: number;
}

/** Reads items from content. */
export interface ItemFeed {
  /**
   * Reads every item of a team behind a position, whatever its tier, removed
   * ones included, at most `limit`.
   * @throws AppError `unavailable` when the feed does not answer in time.
   */
  read(teamId: string, afterSeq: number, limit: number): Promise<FeedPage>;
}
