import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireScope } from '@teammemory/rpc/caller-context.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { pageLimits, pageMaxBytes } from '../domain/list-items.ts';
import { feedEntryToProto } from './item-proto.ts';

/** Answers `ContentService.ReadFeed`. */
export function readFeedHandler(dependencies: {
  items: ItemStore;
}): MethodImpl<typeof ContentService.method.readFeed> {
  const { items } = dependencies;
  return async ({ teamId, afterSeq, limit }, context) => {
    requireScope(context, 'feed:read');
    const count = Math.min(limit || pageLimits.maximum, pageLimits.maximum);
    const entries = await items.readFrom(teamId, Number(afterSeq), { limit: count, maxBytes: pageMaxBytes });
    const bytes = entries.reduce((sum, { json }) => sum + json.length, 0);
    // A page that is not full ends at the head; only a full one has to ask for it.
    const isFull = entries.length === count || bytes > pageMaxBytes;
    const last = entries.at(-1)?.seq ?? Number(afterSeq);
    const headSeq = isFull ? (await items.head(teamId)).seq : last;
    return { entries: entries.map(feedEntryToProto), headSeq: BigInt(headSeq) };
  };
}
