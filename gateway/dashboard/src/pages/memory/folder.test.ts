import { expect, test } from 'vitest';
import type { ItemSummary } from '../../data/team-items.ts';
import { folderEntries, foldersAbove, itemsNamed, pathFromAddress } from './folder.ts';

const item = (row_key: string, updated_at = '2026-11-23T08:00:00.000Z', title = row_key): ItemSummary => ({
  row_key,
  title,
  updated_at,
  tier: 'team',
  checksum: 'sha256:0',
  updated_by: 'ada',
});

test('a folder has its folders first, with what is below them, and names in the order of their numbers', () => {
  const items = [
    item('10.md'),
    item('2.md'),
    item('b/c/deep.md', '2026-11-23T09:00:00.000Z'),
    item('b/flat.md'),
    item('a/one.md'),
  ];
  expect(folderEntries(items, '').map(({ name }) => name)).toEqual(['a', 'b', '2.md', '10.md']);
  expect(folderEntries(items, '')[1]).toMatchObject({ count: 2, updatedAt: '2026-11-23T09:00:00.000Z' });
  expect(folderEntries(items, 'b').map(({ path }) => path)).toEqual(['b/c', 'b/flat.md']);
  expect(folderEntries(items, 'absent')).toEqual([]);
});

test('a folder called as an object has it in its prototype is a folder', () => {
  const items = ['__proto__/a.md', 'constructor/b.md', 'toString'].map((path) => item(path));
  expect(folderEntries(items, '').map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'toString']);
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
