import { expect, test } from 'vitest';
import { readPage } from './request-rules.ts';

const listOf = (length: number) => async (limit: number) =>
  Array.from({ length: Math.min(length, limit) }, (_, index) => index);

test('a page has as many rows as wanted, 50 by default and 200 at most', async () => {
  expect((await readPage(3, listOf(1000))).rows).toEqual([0, 1, 2]);
  expect((await readPage(0, listOf(1000))).rows).toHaveLength(50);
  expect((await readPage(4_294_967_295, listOf(1000))).rows).toHaveLength(200);
});

test('a page says whether more follows, also where it ends exactly with the list', async () => {
  expect(await readPage(3, listOf(4))).toMatchObject({ hasMore: true });
  expect(await readPage(3, listOf(3))).toMatchObject({ hasMore: false });
  expect(await readPage(3, listOf(0))).toEqual({ rows: [], hasMore: false });
});
