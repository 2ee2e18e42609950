import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { PageRequest, PageSchema } from '@teammemory/proto/common/v1/page_pb.ts';
import { Tier as TierProto } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { FeedEntrySchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { type JsonPage, type PageQuery, publicId } from '../domain/feed/feed-page.ts';
import { type FeedRow, isErased } from '../domain/feed/feed-row.ts';

/** Returns which part of a feed is wanted; a missing page request means the first page. */
export function pageQueryFromProto(request: PageRequest | undefined): PageQuery {
  return {
    sinceMs: request?.since === undefined ? undefined : millisecondsFromProto(request.since),
    cursor: request?.cursor ?? '',
    limit: pageSizeFromProto(request?.limit ?? 0, maxPageRows, 'page.limit'),
    includeDeleted: request?.includeDeleted ?? false,
  };
}

/** Returns a page in the form that was asked for: as the whole answer, or only its rows. */
export function pageToProto(
  { answerJson, rowsJson, nextCursor, hasMore }: Omit<JsonPage, 'newestMs'>,
  request: PageRequest | undefined,
): MessageInitShape<typeof PageSchema> {
  return { ...(request?.wholeAnswer ? { answerJson } : { rowsJson }), nextCursor, hasMore };
}

/** Rounds down, unlike the library's function, which rounds up: a row within the same millisecond must not be missed. */
export function millisecondsFromProto({ seconds, nanos }: Timestamp): number {
  return Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);
}

/** Returns an item of the feed for a follower. */
export function itemEntryToProto(row: FeedRow): MessageInitShape<typeof FeedEntrySchema> {
  return {
    seq: BigInt(row.seq),
    rowKey: row.rowKey,
    tier: tierToProto(row.tier),
    deleted: row.deleted,
    erased: isErased(row),
    itemJson: row.json,
    updatedAt: timestampFromMs(row.updatedAtMs),
    writerId: row.writerId ?? '',
  };
}

/** Returns a task or decision of its feed for a follower, without the text that a removed one keeps. */
export function rowEntryToProto(row: FeedRow): MessageInitShape<typeof FeedEntrySchema> {
  const { seq, rowKey, tier, deleted, json, updatedAtMs, writerId } = row;
  return {
    seq: BigInt(seq),
    rowId: publicId(rowKey),
    tier: tierToProto(tier),
    deleted,
    erased: isErased(row),
    ...(deleted ? {} : { rowJson: json, writerId: writerId ?? '' }),
    updatedAt: timestampFromMs(updatedAtMs),
  };
}

export function tierToProto(tier: Tier): TierProto {
  return tier === 'team' ? TierProto.TEAM : TierProto.EXTERNAL;
}

/** Returns a tier; undefined if none is set, or one that is unknown here. */
export function tierFromProto(tier: TierProto | undefined): Tier | undefined {
  if (tier === TierProto.TEAM) return 'team';
  return tier === TierProto.EXTERNAL ? 'external' : undefined;
}

/** Returns the page token for where the next page of versions begins; '' if there is none. */
export function tokenFromRevision(nextRevision: number): string {
  return nextRevision === 0 ? '' : String(nextRevision);
}

/** Returns the revision in a page token, 0 for none. Throws AppError `invalid_cursor`. */
export function revisionFromToken(token: string): number {
  if (token === '') return 0;
  if (!/^[1-9]\d{0,14}$/.test(token))
    throw new AppError(
      'invalid_cursor',
      'The page_token must be the next_page_token of the previous page of this list.',
    );
  return Number(token);
}

/** The error of a request for a filtered list with removed rows. */
export function noRemovedRows(): AppError {
  const violations = [{ pointer: '/include_deleted', detail: 'must not be true with a filter' }];
  return new AppError('invalid_request', 'A filtered list has no removed rows.', { violations });
}
