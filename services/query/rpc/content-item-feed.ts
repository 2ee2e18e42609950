import { createClient, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { ItemFeed } from '../domain/item-feed.ts';
import { feedItemFromProto } from './feed-item-proto.ts';

/** A page of 50 large items takes well under a second; longer than this content is as good as gone. */
const callTimeoutMs = 10_000;

/** Reads the feed from the content service, as the service that `serviceToken` names. */
export function createContentItemFeed(options: {
  transport: Transport;
  /** A token for calls to that service, with the scope feed:read. */
  serviceToken: (audience: 'content') => Promise<string>;
}): ItemFeed {
  const content = createClient(ContentService, options.transport);
  return {
    async read(teamId, afterSeq, limit) {
      const headers = { authorization: `Bearer ${await options.serviceToken('content')}` };
      const request = { teamId, afterSeq: BigInt(afterSeq), limit };
      const { entries, headSeq } = await content
        .readFeed(request, { headers, timeoutMs: callTimeoutMs })
        .catch((thrown: unknown) => {
          throw asOurs(appErrorFromRpc(thrown));
        });
      return { items: entries.map(feedItemFromProto), headSeq: Number(headSeq) };
    },
  };
}

/** A refusal of our own token or request must not look to the caller as if theirs were refused. */
function asOurs(error: AppError): AppError {
  if (error.code === 'unavailable') return error;
  return new AppError('internal', 'Something went wrong on our side.', { cause: error });
}
