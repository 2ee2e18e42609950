import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { PageRequest, PageSchema } from '@teammemory/proto/common/v1/page_pb.ts';
import { type FeedPage, type PageQuery, pageJson } from '../domain/list-items.ts';

/** What part of a feed is wanted; a missing page request means the first page. */
export function pageQueryFromProto(request: PageRequest | undefined): PageQuery {
  return {
    sinceMs: request?.since === undefined ? undefined : Math.floor(timestampMs(request.since)),
    cursor: request?.cursor ?? '',
    limit: request?.limit ?? 0,
    includeDeleted: request?.includeDeleted ?? false,
  };
}

/** A page with its rows as one JSON array. */
export function pageToProto(page: FeedPage): MessageInitShape<typeof PageSchema> {
  return { rowsJson: pageJson(page.rows), nextCursor: page.nextCursor, hasMore: page.hasMore };
}
