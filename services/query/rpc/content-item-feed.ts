import { createClient, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FeedList } from '../domain/index/feed-list.ts';
import type { ItemFeed } from '../domain/passages/item-feed.ts';
import { feedItemFromProto } from './feed-item-proto.ts';

/** A page of 50 large items takes well under a second; longer than this content is as good as gone. */
const callTimeoutMs = 10_000;

/** Reads feeds from the content service, as the service that `serviceToken` names. */
export function createContentItemFeed(options: {
  transport: Transport;
  /** A token for calls to that service, with the scope feed:read. */
  serviceToken: (audience: 'content') => Promise<string>;
}): ItemFeed & FeedList {
  const content = createClient(ContentService, options.transport);
  const callOptions = async () => ({
    headers: { authorization: `Bearer ${await options.serviceToken('content')}` },
    timeoutMs: callTimeoutMs,
  });
  return {
    async read(teamId, afterSeq, limit) {
      const request = { teamId, afterSeq: BigInt(afterSeq), limit };
      const { entries, headSeq } = await content.readFeed(request, await callOptions()).catch(throwAsOurs);
      return { items: entries.map(feedItemFromProto), headSeq: Number(headSeq) };
    },
    async page(token, signal) {
      const request = { pageToken: token };
      const { feeds, nextPageToken } = await content
        .listFeeds(request, { ...(await callOptions()), signal })
        .catch(throwAsOurs);
      return {
        feeds: feeds.map(({ teamId, seq }) => ({ teamId, seq: Number(seq) })),
        nextToken: nextPageToken,
      };
    },
  };
}

/** A refusal of our own token or request must not look to the caller as if theirs were refused. */
function throwAsOurs(thrown: unknown): never {
  const error = appErrorFromRpc(thrown);
  if (error.code === 'unavailable') throw error;
  throw new AppError('internal', 'Something went wrong on our side.', { cause: error });
}
