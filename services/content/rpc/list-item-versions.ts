import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { jsonArray } from '../domain/json-array.ts';
import { listItemVersions } from '../domain/list-item-versions.ts';
import { revisionFromToken, tokenFromRevision } from './version-token.ts';

/** Answers `ContentService.ListItemVersions`. */
export function listItemVersionsHandler(dependencies: {
  items: ItemStore;
}): MethodImpl<typeof ContentService.method.listItemVersions> {
  return async (request, context) => {
    const { teamId, tier } = requireCaller(context);
    const query = {
      rowKey: request.rowKey,
      beforeRevision: revisionFromToken(request.pageToken),
      limit: request.pageSize,
    };
    const { versions, nextRevision } = await listItemVersions(dependencies, { teamId, tier }, query);
    return {
      versionsJson: jsonArray(versions.map(({ json }) => json)),
      nextPageToken: tokenFromRevision(nextRevision),
    };
  };
}
