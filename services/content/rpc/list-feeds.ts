import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { listFeeds } from '../domain/list-feeds.ts';
import type { ProjectionStore } from '../domain/projection-store.ts';

/** Answers `ContentService.ListFeeds`. */
export function listFeedsHandler(dependencies: {
  places: ProjectionStore;
}): MethodImpl<typeof ContentService.method.listFeeds> {
  return async ({ pageToken, pageSize }, context) => {
    requireScope(context, 'feed:read');
    const { feeds, nextTeamId } = await listFeeds(dependencies, { afterTeamId: pageToken, limit: pageSize });
    return {
      feeds: feeds.map(({ teamId, changes }) => ({ teamId, seq: BigInt(changes) })),
      nextPageToken: nextTeamId,
    };
  };
}
