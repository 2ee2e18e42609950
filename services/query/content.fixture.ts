import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { createDirectTransport } from '@teammemory/rpc/client/direct-transport.ts';
import { rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import type { FeedItem } from './domain/passages/feeds.ts';
import { feedsInMemory } from './domain/rows/row.fixture.ts';

/** A content service with a feed in memory, as far as this service calls it. */
export interface ContentInMemory {
  transport: Transport;
  push(teamId: string, item: Omit<FeedItem, 'seq'>): void;
}

/** Makes one that takes calls with this token only. */
export function contentInMemory(token: string): ContentInMemory {
  const feed = feedsInMemory();
  const heads = new Map<string, number>();
  const service = rpcService(ContentService, {
    async listFeeds() {
      return { feeds: [...heads].map(([teamId, seq]) => ({ teamId, seq: BigInt(seq) })) };
    },
    async readHeads({ teamId }) {
      return { itemsSeq: BigInt((await feed.heads(teamId)).items) };
    },
    async readFeed({ teamId, afterSeq, limit }) {
      const { items, headSeq } = await feed.read(teamId, Number(afterSeq), limit);
      return { entries: items.map(entryOf), headSeq: BigInt(headSeq) };
    },
  });
  const authenticated: Interceptor = (next) => (request) => {
    if (request.header.get('authorization') !== `Bearer ${token}`)
      throw new ConnectError('no', Code.Unauthenticated);
    return next(request);
  };
  return {
    transport: createDirectTransport(service, [authenticated]),
    push(teamId, item) {
      heads.set(teamId, feed.push(teamId, item));
    },
  };
}

function entryOf({ seq, rowKey, tier, title, content, fields, writerId = '' }: FeedItem) {
  const item = { title, content, frontmatter: { review_by: fields?.checkBy } };
  return {
    seq: BigInt(seq),
    rowKey,
    tier: tier === 'team' ? Tier.TEAM : Tier.EXTERNAL,
    deleted: content === '',
    itemJson: content === '' ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(item)),
    writerId,
    updatedAt: timestampFromMs(seq),
  };
}
