import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { PageRequest, PageSchema } from '@teammemory/proto/common/v1/page_pb.ts';
import type { PageQuery, ReadyPage } from '../domain/list-items.ts';

/** What part of a feed is wanted; a missing page request means the first page. */
export function pageQueryFromProto(request: PageRequest | undefined): PageQuery {
  return {
    sinceMs: request?.since === undefined ? undefined : millisecondsFromProto(request.since),
    cursor: request?.cursor ?? '',
    limit: request?.limit ?? 0,
    includeDeleted: request?.includeDeleted ?? false,
  };
}

/** A page with its rows as one JSON array. */
export function pageToProto(page: ReadyPage): MessageInitShape<typeof PageSchema> {
  return { rowsJson: page.json, nextCursor: page.nextCursor, hasMore: page.hasMore };
}

/** Rounded down, where the library's own rounds up: a row within the same millisecond must not be missed. */
export function millisecondsFromProto({ seconds, nanos }: Timestamp): number {
  return Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);
}
