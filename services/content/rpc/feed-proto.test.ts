import { create } from '@bufbuild/protobuf';
import { PageRequestSchema } from '@teammemory/proto/common/v1/page_pb.ts';
import { expect, test } from 'vitest';
import { pageQueryFromProto, pageToProto } from './feed-proto.ts';

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

test('a page is its rows as they are, with where to go on', () => {
  const rows = [{ rowKey: 'a', atMs: 1, deleted: false, json: Buffer.from('{"row_key":"a"}') }];
  expect(pageToProto({ rows, nextCursor: 'c', hasMore: true }, 'row_key')).toEqual({
    rowsJson: Buffer.from('[{"row_key":"a"}]'),
    nextCursor: 'c',
    hasMore: true,
  });
});
