import { create } from '@bufbuild/protobuf';
import { GetUsageRequestSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';
import { usagePageToProto, usageQueryFromProto, usageTotalToProto } from './administration.ts';

const place = { day: '2026-11-21', memberId: '0198', model: 'org/gpt "é"' };
const total = { ...place, calls: 2, inputTokens: 5_000_000_000, outputTokens: 0, cost: 9_999_999_999_999 };
const days = { from: '2026-11-01', to: '2026-11-30' };

const queryOf = (pageToken: string) =>
  usageQueryFromProto(create(GetUsageRequestSchema, { ...days, pageSize: 7, pageToken }));

test('a row keeps its numbers', () => {
  expect(usageTotalToProto(total)).toEqual({
    ...place,
    calls: 2n,
    inputTokens: 5_000_000_000n,
    outputTokens: 0n,
    costMicroDollars: 9_999_999_999_999n,
  });
});

test('the token of a page leads to the place behind it, and the last page has none', () => {
  const { nextPageToken = '', rows } = usagePageToProto({ ...days, totals: [total], next: place });
  expect(rows).toHaveLength(1);
  expect(queryOf(nextPageToken)).toEqual({ ...days, pageSize: 7, after: place });
  expect(usagePageToProto({ ...days, totals: [], next: undefined })).toMatchObject({ nextPageToken: '' });
  expect(queryOf('').after).toBeUndefined();
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  '!',
  'bm9uc2Vuc2U',
  encoded(['2026-11-21', 'm']),
  encoded(['2026-11-21', 'm', 1]),
  encoded(['2026-11-21', 'm', 'a', 'b']),
  encoded({ length: 3 }),
  encoded(['2026-11-21', 'm', 'x'.repeat(1_000)]),
])('a token that no page gave is refused: %s', (token) => {
  expect(() => queryOf(token)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
});
