import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/rpc-service.ts';
import { createItemWriter } from './domain/item-writer.ts';
import { createPageCache } from './domain/page-cache.ts';
import { deleteItemHandler } from './rpc/delete-item.ts';
import { listItemVersionsHandler } from './rpc/list-item-versions.ts';
import { listItemsHandler } from './rpc/list-items.ts';
import { pushItemsHandler } from './rpc/push-items.ts';
import { readFeedHandler } from './rpc/read-feed.ts';
import { openContentStores, type Storage } from './store/open-stores.ts';

/** What the content service is made from. */
export interface ContentServiceOptions {
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Versions kept of an item before its present one. */
  itemHistory: number;
}

/** The content service of a process. */
export interface ContentServiceInstance {
  rpc: RpcService;
  /** Answers when the service can work, else throws AppError `unavailable`. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Assembles the content service: its stores, its domain and a handler for each RPC. */
export async function createContentService(options: ContentServiceOptions): Promise<ContentServiceInstance> {
  const stores = await openContentStores(options.storage);
  const { items } = stores;
  const writer = createItemWriter({ items, clock: options.clock, itemHistory: options.itemHistory });
  return {
    rpc: rpcService(ContentService, {
      pushItems: pushItemsHandler({ writer }),
      listItems: listItemsHandler({ pages: createPageCache({ items }) }),
      deleteItem: deleteItemHandler({ writer }),
      listItemVersions: listItemVersionsHandler({ items }),
      readFeed: readFeedHandler({ items }),
    }),
    ready: stores.ping,
    close: stores.close,
  };
}
