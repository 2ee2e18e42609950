import type { ServiceImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireGateway } from '@teammemory/rpc/auth/caller-context.ts';
import { untilClosing } from '@teammemory/rpc/server/closing.ts';
import type { ChangedTeams } from '../domain/feed/changed-teams.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Dependencies {
  changed: ChangedTeams;
}

/** A stream ends by itself before the longest deadline of a call, which would count as a fault. */
const maxStreamMs = 110_000;
/** Teams of one message: some 40 KB. */
const maxMessageTeams = 1_000;

/** Handles `ContentService.WatchHeads`. A reader that is slow gets each team once, however often it changed. */
export function watchHeadsHandler({ changed }: Dependencies): Handlers['watchHeads'] {
  return async function* watchHeads(_request, context) {
    requireGateway(context);
    const over = AbortSignal.any([untilClosing(context), AbortSignal.timeout(maxStreamMs)]);
    const untold = new Set<string>();
    let told = Promise.withResolvers<void>();
    const wake = () => told.resolve();
    const stop = changed.follow((teamIds) => {
      for (const teamId of teamIds) untold.add(teamId);
      wake();
    });
    over.addEventListener('abort', wake, { once: true });
    try {
      while (!over.aborted) {
        await told.promise;
        if (over.aborted) return;
        told = Promise.withResolvers();
        do {
          const teamIds = [...untold].slice(0, maxMessageTeams);
          for (const teamId of teamIds) untold.delete(teamId);
          yield { teamIds };
        } while (untold.size > 0);
      }
    } finally {
      stop();
      over.removeEventListener('abort', wake);
    }
  };
}
