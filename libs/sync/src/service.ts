import type { CallOptions } from '@teammemory/client/call-options.ts';
import type { Item, ItemPage, NewItem, PushResult } from '@teammemory/client/item.ts';

/** An item to push, as this library sends it. */
export type PushedItem = Omit<NewItem, 'base_checksum' | 'frontmatter_text'> & {
  /** The version that was edited; null if there must be none. */
  base_checksum: string | null;
  frontmatter_text?: string;
};

/** One version of an item, without its content. */
export interface ItemVersionRow {
  revision: number;
  checksum?: string;
  tier?: string;
  updated_at: string;
  updated_by?: string;
  deleted?: boolean;
}

/** The part of the SDK's TeamMemoryClient that synchronising needs. */
export interface SyncClient {
  pushItems(items: readonly PushedItem[], options?: CallOptions): Promise<PushResult>;
  listItems(
    options?: CallOptions & { cursor?: string; limit?: number; includeDeleted?: boolean },
  ): Promise<ItemPage>;
  deleteItem(
    rowKey: string,
    options?: CallOptions & { baseChecksum?: string; erase?: boolean },
  ): Promise<void>;
  getItem(rowKey: string, options?: CallOptions): Promise<Item>;
  listItemVersions(
    rowKey: string,
    options?: CallOptions & { cursor?: string; limit?: number },
  ): Promise<{ versions: ItemVersionRow[]; next_cursor?: string | null; has_more: boolean }>;
  getItemVersion(
    rowKey: string,
    revision: number,
    options?: CallOptions,
  ): Promise<Item | { revision: number; deleted: true }>;
  /** Yields whenever the service may have something new. Connects again by itself. */
  events(options?: CallOptions): AsyncIterable<unknown>;
  whoami(options?: CallOptions): Promise<{
    member: string;
    tier: string;
    access: string;
    item_writes_per_minute: number;
  }>;
}
