import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { itemsVersion } from '../domain/items-version.ts';

/** Answers `ContentService.GetItemsVersion`. */
export function getItemsVersionHandler(dependencies: {
  items: ItemStore;
}): MethodImpl<typeof ContentService.method.getItemsVersion> {
  return async (_request, context) => {
    const { teamId, tier } = requireCaller(context);
    return { version: await itemsVersion(dependencies, { teamId, tier }) };
  };
}
