import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { maxTeamIdCharacters } from '../domain/feed/progress.ts';
import { repairUsage } from '../domain/feed/usage-repair.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Dependencies {
  items: FeedStore;
  tasks: FeedStore;
  decisions: FeedStore;
}

/** Handles `ContentService.RepairUsage`. */
export function repairUsageHandler({ items, tasks, decisions }: Dependencies): Handlers['repairUsage'] {
  return async ({ pageToken }, context) => {
    requireAdministrator(context);
    if (pageToken.length > maxTeamIdCharacters)
      throw new AppError(
        'invalid_request',
        'The page_token must be the next_page_token of the previous page of this list.',
      );
    const dependencies = { feeds: { items, tasks, decisions }, clock: () => performance.now() };
    const { nextTeamId, ...repair } = await repairUsage(dependencies, pageToken, context.signal);
    return { ...repair, nextPageToken: nextTeamId };
  };
}
