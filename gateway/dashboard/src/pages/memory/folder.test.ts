import { expect, test } from 'vitest';
import type { FolderEntry, Listing } from '../../data/folders.ts';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { countWords, foldersAbove, itemsNamed, pathFromAddress, shownEntries, whatIs } from './folder.ts';

const item = (row_key: string, updated_at = '2026-11-23T08:00:00.000Z', title = row_key): ItemSummary => ({
  row_key,
  title,
  updated_at,
  tier: 'team',
  checksum: 'sha256:0',
  updated_by: 'ada',
});

const entry = (path: string, count?: number, hasMore = false): FolderEntry => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return count === undefined
    ? { kind: 'item', name, path, item: item(path) }
    : { kind: 'folder', name, path, count, hasMore };
};
const listing = (entries: FolderEntry[], nextToken = '', own?: ItemSummary): Listing => ({
  pages: [{ token: '', entries }],
  nextToken,
  item: own,
  problem: undefined,
  readAt: undefined,
});

test('a short folder has its folders first, and names in the order of their numbers', () => {
  const entries = [entry('10.md'), entry('2.md'), entry('a', 1), entry('b', 2)];
  expect(shownEntries(listing(entries)).map(({ name }) => name)).toEqual(['a', 'b', '2.md', '10.md']);
  expect(shownEntries(listing(entries, '10.md'))).toEqual(entries);
});

test('the count of a folder says whether it is all', () => {
  expect(countWords([entry('a', 1_200), entry('b.md')], true)).toBe(`${(1_201).toLocaleString()} items`);
  expect(countWords([entry('a', 1_000, true)], true)).toBe(`${(1_000).toLocaleString()}+ items`);
  expect(countWords([entry('b.md')], true)).toBe('1 item');
  expect(countWords([entry('b.md')], false)).toBe('1+ items');
});

test('a path is an item, a folder, both, or an item that is not there', () => {
  expect(whatIs('', undefined, undefined)).toEqual({ isItem: false, isFolder: true });
  const full = [entry('a/b.md')];
  expect(whatIs('a', listing(full), undefined)).toEqual({ isItem: false, isFolder: true });
  expect(whatIs('a', listing(full, '', item('a')), undefined)).toEqual({ isItem: true, isFolder: true });
  expect(whatIs('a', listing([]), undefined)).toEqual({ isItem: true, isFolder: false });
});

test('until the service answers, the folder above or the name tells whether a path is an item', () => {
  const above = listing([entry('a', 1), entry('b'), entry('c.md', 1)]);
  const isItem = (path: string) => whatIs(path, undefined, above).isItem;
  expect(['a', 'b', 'c.md', 'd', 'e.md'].map(isItem)).toEqual([false, true, false, false, true]);
});

test('items are found by every word of their path or title, those whose file begins so first', () => {
  const items = [item('notes/ferry-plan.md'), item('plan.md', undefined, 'The plan'), item('x.md')];
  expect(itemsNamed(items, 'PLAN', 9).map(({ row_key }) => row_key)).toEqual([
    'plan.md',
    'notes/ferry-plan.md',
  ]);
  expect(itemsNamed(items, 'plan ferry', 9)).toHaveLength(1);
  expect(itemsNamed(items, 'plan', 1)).toHaveLength(1);
  expect(itemsNamed(items, ' ', 9)).toEqual([]);
});

test('the path of an address is that of the item, whatever signs it has', () => {
  for (const path of ['notes/a b.md', 'ä/%00.md', '50%.md', 'a?b#c.md']) {
    expect(pathFromAddress(path.split('/').map(encodeURIComponent).join('/'))).toBe(path);
  }
  expect(pathFromAddress('50%')).toBe('50%');
});

test('the folders above a path are told from the outermost on', () => {
  expect(foldersAbove('a/b/c.md').map(({ path }) => path)).toEqual(['a', 'a/b']);
  expect(foldersAbove('c.md')).toEqual([]);
});
