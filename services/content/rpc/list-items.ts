import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/caller-context.ts';
import type { PageReader } from '../domain/page-cache.ts';
import { pageQueryFromProto, pageToProto } from './page-proto.ts';

/** Answers `ContentService.ListItems`. */
export function listItemsHandler(dependencies: {
  pages: PageReader;
}): MethodImpl<typeof ContentService.method.listItems> {
  return async (request, context) => {
    const { teamId, tier } = requireCaller(context);
    const query = pageQueryFromProto(request.page);
    const page = await dependencies.pages({ teamId, tier }, query);
    return { page: pageToProto(page) };
  };
}
