import { expect, test } from 'vitest';
import { everyPage } from './every-page.ts';

const pages: Record<string, { rows: number[]; nextPageToken: string }> = {
  '': { rows: [1, 2], nextPageToken: 'b' },
  b: { rows: [], nextPageToken: 'c' },
  c: { rows: [3], nextPageToken: '' },
};
const none = { rows: [], nextPageToken: '' };

test('a list is read to its end, past an empty page, and no further than wanted', async () => {
  const read: string[] = [];
  const load = async (pageToken: string) => {
    read.push(pageToken);
    return pages[pageToken] ?? none;
  };
  expect(await everyPage(load, ({ rows }) => rows)).toEqual([1, 2, 3]);
  expect(read).toEqual(['', 'b', 'c']);
  expect(await everyPage(load, ({ rows }) => rows, 2)).toEqual([1, 2]);
});

test('a list that does not end is left after fifty pages', async () => {
  const endless = async () => ({ rows: ['row'], nextPageToken: 'more' });
  expect(await everyPage(endless, ({ rows }) => rows)).toHaveLength(50);
});
