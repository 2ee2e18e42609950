import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Cursors } from '../domain/cursor.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { versionAt } from '../domain/items-version.ts';
import { listItems, readyPage } from '../domain/list-items.ts';
import { pageQueryFromProto, pageToProto } from './page-proto.ts';

/** Answers `ContentService.ListItems`. */
export function listItemsHandler(dependencies: {
  items: ItemStore;
  cursors: Cursors;
}): MethodImpl<typeof ContentService.method.listItems> {
  return async (request, context) => {
    const { teamId, tier } = requireCaller(context);
    const query = pageQueryFromProto(request.page);
    const page = await listItems(dependencies, { teamId, tier }, query);
    return { page: pageToProto(readyPage(page, 'row_key')), version: versionAt(page.newestMs) };
  };
}
