import { create } from '@bufbuild/protobuf';
import { ItemErrorSchema, ItemInputSchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { checksumOf, itemDraft } from '../domain/items/item.fixture.ts';
import { checkItem } from '../domain/items/item.ts';
import { itemDraftFromProto, itemErrorToProto } from './item-proto.ts';

test('an item keeps every field as sent', () => {
  const draft = itemDraft({
    baseChecksum: checksumOf('b'),
    createOnly: true,
    frontmatterText: '\ufeffa: 1.10 # é\r\n',

    frontmatterJson: '{"é":"\ufeff"}',
  });
  const { frontmatterJson, ...fields } = draft;
  const input = create(ItemInputSchema, { ...fields, frontmatterJson: Buffer.from(frontmatterJson) });
  expect(itemDraftFromProto(input)).toEqual(draft);
});

test('an item without a base or front matter as text has none; an empty one is another thing', () => {
  const { baseChecksum, frontmatterText } = itemDraftFromProto(create(ItemInputSchema));
  expect([baseChecksum, frontmatterText]).toEqual([undefined, undefined]);
  const empty = create(ItemInputSchema, { frontmatterText: '' });
  expect(itemDraftFromProto(empty).frontmatterText).toBe('');
});

test.each([
  ['cut off', [0x7b, 0xc3]],
  ['not UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]],
  ['after a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
])('front matter that is %s is refused, not mended', (_, bytes) => {
  const { frontmatterJson: _text, ...fields } = itemDraft();
  const input = create(ItemInputSchema, { ...fields, frontmatterJson: Uint8Array.from(bytes) });
  expect(checkItem(itemDraftFromProto(input))).toMatchObject({ code: 'invalid_request' });
});

test.each([
  ['of a stored item', checksumOf('a'), checksumOf('a')],
  ['of nothing', null, ''],
  ['that is not told', undefined, undefined],
])('an error says the present checksum %s', (_, currentChecksum, sent) => {
  const error = itemErrorToProto(3, 'a.md', { code: 'conflict', detail: 'No.', currentChecksum });
  expect(create(ItemErrorSchema, error)).toMatchObject({
    index: 3,
    rowKey: 'a.md',
    code: 'conflict',
    detail: 'No.',
  });
  expect(error.currentChecksum).toBe(sent);
});

test('an error cuts a row_key that is too long, and keeps it Unicode', () => {
  const { rowKey = '' } = itemErrorToProto(0, `${'x'.repeat(1_023)}😀`, {
    code: 'invalid_request',
    detail: 'No.',
  });
  expect(rowKey).toHaveLength(1_024);
  expect(rowKey.isWellFormed()).toBe(true);
});
