import { expect, test } from 'vitest';
import { rescoredPageToProto, rescorePageFromProto } from './rescore-page-proto.ts';

const id = '01890000-0000-7000-8000-000000000001';

test('a page goes on where the one before it ended', () => {
  expect(rescorePageFromProto({ pageSize: 7, pageToken: '' })).toEqual({ pageSize: 7, after: undefined });
  const { nextPageToken: pageToken } = rescoredPageToProto({ rescored: 7, next: { version: 1, id } });
  expect(rescorePageFromProto({ pageSize: 0, pageToken })).toEqual({
    pageSize: 0,
    after: { version: 1, id },
  });
  expect(rescoredPageToProto({ rescored: 7, next: undefined })).toEqual({ rescored: 7, nextPageToken: '' });
});

test('a token that was never given is refused', () => {
  for (const pageToken of [
    '1',
    id,
    `-1.${id}`,
    `1.${id}.`,
    `1.${id}\n`,
    `${'9'.repeat(10)}.${id}`,
    '1.$ne',
  ]) {
    expect(() => rescorePageFromProto({ pageSize: 0, pageToken }), pageToken).toThrowError(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  }
});
