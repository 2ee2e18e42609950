import { create } from '@bufbuild/protobuf';
import { PageRequestSchema } from '@teammemory/proto/common/v1/page_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { FeedEntrySchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import { itemEntryToProto, pageQueryFromProto, pageToProto } from './feed-proto.ts';

test('no page request means the first page', () => {
  const first = { sinceMs: undefined, cursor: '', limit: 0, includeDeleted: false };
  expect(pageQueryFromProto(undefined)).toEqual(first);
  expect(pageQueryFromProto(create(PageRequestSchema))).toEqual(first);
});

test.each([
  [{ seconds: 1_795_242_420n, nanos: 123_999_999 }, 1_795_242_420_123],
  [{ seconds: 0n, nanos: 0 }, 0],
  [{ seconds: -1n, nanos: 0 }, -1_000],
])('since %o is whole milliseconds, rounded down', (since, sinceMs) => {
  const request = create(PageRequestSchema, { since, cursor: 'c', limit: 7, includeDeleted: true });
  expect(pageQueryFromProto(request)).toEqual({ sinceMs, cursor: 'c', limit: 7, includeDeleted: true });
});

test('a page is its rows, or the whole answer where that is asked for', () => {
  const [rowsJson, answerJson] = [
    Buffer.from('[{"row_key":"a"}]'),
    Buffer.from('{"items":[{"row_key":"a"}]}'),
  ];
  const page = { rowsJson, answerJson, nextCursor: 'c', hasMore: true };
  const rest = { nextCursor: 'c', hasMore: true };
  expect(pageToProto(page, undefined)).toEqual({ rowsJson, ...rest });
  expect(pageToProto(page, create(PageRequestSchema))).toEqual({ rowsJson, ...rest });
  expect(pageToProto(page, create(PageRequestSchema, { wholeAnswer: true }))).toEqual({
    answerJson,
    ...rest,
  });
});

test.each([
  ['team', Tier.TEAM],
  ['external', Tier.EXTERNAL],
] as const)('a row of the feed of tier %s keeps its position and text', (tier, sent) => {
  const item = storedRow('a.md', 7, { tier, updatedAtMs: 1_795_242_420_123, deleted: tier === 'external' });
  expect(create(FeedEntrySchema, itemEntryToProto(item))).toMatchObject({
    seq: 7n,
    rowKey: 'a.md',
    tier: sent,
    deleted: tier === 'external',
    itemJson: item.json,
    updatedAt: { seconds: 1_795_242_420n, nanos: 123_000_000 },
    writerId: '',
  });
});

test('a row of the feed says who wrote it, if that is known', () => {
  expect(itemEntryToProto(storedRow('a.md', 7, { writerId: 'id-of-ada' }))).toMatchObject({
    writerId: 'id-of-ada',
  });
});
