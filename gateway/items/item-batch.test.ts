import { expect, test } from 'vitest';
import { refusedFromProto, sortByType } from './push-items.ts';

const good = { row_key: 'a.md', content: 'x', frontmatter: {}, tier: 'team', checksum: 'sha256:0' };

test('items with wrong types are refused one by one and keep their indexes', async () => {
  const { items, refused } = await sortByType([
    good,
    { ...good, content: 5 },
    null,
    'text',
    { ...good, frontmatter: [] },
    { ...good, base_checksum: 1 },
    { ...good, row_key: 'b\ud800' },
    good,
  ]);
  expect(items.map(({ index }) => index)).toEqual([0, 7]);
  expect(refused.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(refused.every(({ code }) => code === 'invalid_request')).toBe(true);
  expect(refused[0]).toEqual({
    index: 1,
    row_key: 'a.md',
    code: 'invalid_request',
    detail: 'content must be a string.',
  });
});

test('front matter is passed on unchanged, whatever its keys', async () => {
  const frontmatter = JSON.parse('{"__proto__":{"x":1},"$where":"1","a.b":null}');
  const [item] = (await sortByType([{ ...good, frontmatter }])).items;
  expect(Buffer.from(item?.input.frontmatterJson ?? []).toString()).toBe(
    '{"__proto__":{"x":1},"$where":"1","a.b":null}',
  );
});

test('a base that is null is sent as another thing than one that is absent', async () => {
  const bases = [{}, { base_checksum: null }, { base_checksum: 'sha256:0' }];
  const { items } = await sortByType(bases.map((base) => ({ ...good, ...base })));
  expect(items.map(({ input: { createOnly, baseChecksum } }) => ({ createOnly, baseChecksum }))).toEqual([
    { createOnly: false, baseChecksum: undefined },
    { createOnly: true, baseChecksum: undefined },
    { createOnly: false, baseChecksum: 'sha256:0' },
  ]);
});

test('a refusal of the service has the index that the item has in the batch', async () => {
  const { items } = await sortByType([null, good]);
  const error = {
    $typeName: 'teammemory.content.v1.ItemError',
    index: 0,
    rowKey: 'a.md',
    detail: 'd',
  } as const;
  expect(refusedFromProto({ ...error, code: 'conflict', currentChecksum: '' }, items)).toEqual({
    index: 1,
    row_key: 'a.md',
    code: 'conflict',
    detail: 'd',
    current_checksum: null,
  });
});

test('an answer contains at most the longest valid part of a row_key, whoever refused the item', async () => {
  const row_key = 'a'.repeat(1024 * 1024);
  const { items, refused } = await sortByType([{ ...good, row_key, content: 5 }, good]);
  const error = { $typeName: 'teammemory.content.v1.ItemError', index: 0, rowKey: row_key } as const;
  const byService = refusedFromProto({ ...error, code: 'invalid_request', detail: 'd' }, items);
  expect([refused[0]?.row_key.length, byService.row_key.length]).toEqual([1_024, 1_024]);
});
