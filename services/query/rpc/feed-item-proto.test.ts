import { create } from '@bufbuild/protobuf';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { FeedEntrySchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { noFields } from '../domain/passages/passage.ts';
import { feedItemFromProto } from './content-feeds-proto.ts';

function entry(json: string, deleted = false) {
  const itemJson = new TextEncoder().encode(json);
  return create(FeedEntrySchema, { seq: 7n, rowKey: 'a.md', tier: Tier.EXTERNAL, deleted, itemJson });
}

test('title, content and fields come from the public JSON of the item', () => {
  const json = JSON.stringify({
    row_key: 'other',
    title: 'Ä',
    content: '\ufeff# Ä\n',
    frontmatter: { title: 'no', owner: 'mara' },
    updated_at: '2026-11-21T06:27:00.123Z',
  });
  expect(feedItemFromProto(entry(json))).toEqual({
    seq: 7,
    rowKey: 'a.md',
    tier: 'external',
    title: 'Ä',
    content: '\ufeff# Ä\n',
    fields: { ...noFields, owner: 'mara', date: '2026-11-21', isDatedByChange: true },
  });
});

test('an item says that a guest wrote it, and its front matter does not', () => {
  const isByGuest = (json: string) => {
    const read = feedItemFromProto(entry(json));
    return 'fields' in read ? read.fields?.isByGuest : undefined;
  };
  expect(isByGuest('{"title":"a","content":"b","frontmatter":{},"by_guest":true}')).toBe(true);
  expect(isByGuest('{"title":"a","content":"b","frontmatter":{"by_guest":true}}')).toBeUndefined();
});

test('the writer comes along where the feed knows them', () => {
  const known = { ...entry('{"title":"a","content":"b"}'), writerId: 'id-of-ada' };
  expect(feedItemFromProto(known)).toMatchObject({ writerId: 'id-of-ada' });
});

test('a removed item has neither', () => {
  expect(feedItemFromProto(entry('', true))).toMatchObject({ seq: 7, title: '', content: '' });
  const erased = feedItemFromProto({ ...entry('', true), erased: true });
  expect(erased).toMatchObject({ content: '', isErased: true });
});

test.for(['null', '[]', '{}', '{"title":1,"content":""}', '{"title":"a"}'])(
  'an item %s is refused',
  (json) => {
    expect(() => feedItemFromProto(entry(json))).toThrowError(expect.objectContaining({ code: 'internal' }));
  },
);
