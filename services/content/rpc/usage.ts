import type { MethodImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { maxTeamIdCharacters } from '../domain/feed/progress.ts';
import { repairUsage } from '../domain/feed/usage-repair.ts';

/** Handles `ContentService.RepairUsage`. */
export function repairUsageHandler(
  feeds: Readonly<Record<'items' | 'tasks' | 'decisions', FeedStore>>,
): MethodImpl<typeof ContentService.method.repairUsage> {
  return async ({ pageToken }, context) => {
    requireAdministrator(context);
    if (pageToken.length > maxTeamIdCharacters)
      throw new AppError(
        'invalid_request',
        'The page_token must be the next_page_token of the previous page of this list.',
      );
    const dependencies = { feeds, clock: () => performance.now() };
    const { nextTeamId, ...repair } = await repairUsage(dependencies, pageToken, context.signal);
    return { ...repair, nextPageToken: nextTeamId };
  };
}
