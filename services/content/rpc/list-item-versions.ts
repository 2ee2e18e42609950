import type { MethodImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/caller-context.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { jsonArray } from '../domain/json-array.ts';
import { listItemVersions } from '../domain/list-item-versions.ts';

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
      nextPageToken: nextRevision === 0 ? '' : String(nextRevision),
    };
  };
}

function revisionFromToken(token: string): number {
  if (token === '') return 0;
  if (!/^[1-9]\d{0,14}$/.test(token)) throw new AppError('invalid_cursor', 'The page token is not ours.');
  return Number(token);
}
