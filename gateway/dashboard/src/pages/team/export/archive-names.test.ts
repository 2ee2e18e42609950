import { expect, test } from 'vitest';
import { createArchiveNames } from './archive-names.ts';

const namesOf = (...rowKeys: string[]) => {
  const names = createArchiveNames();
  return rowKeys.map((row_key) => names.nameOf({ row_key, tier: 'external' }));
};

test('a file has the name of its item', () => {
  expect(namesOf('a.md', 'notes/übersicht.md', 'notes/b c.md')).toEqual([
    'items/a.md',
    'items/notes/übersicht.md',
    'items/notes/b c.md',
  ]);
});

test.each([
  ...['../a.md', 'a/../../b.md', '/etc/a.md', '//host/a.md', '', '.', '..', 'a//b.md', 'a/.'],
  ...['C:\\a.md', 'C:/a.md', 'a\\..\\b.md', 'con.md', 'a/NUL', 'lpt1.md', 'a:stream.md', 'a.md ', 'a?.md'],
  ...['.git/config.md', 'CLAUDE.md', '.cursor/rules/a.md', 'a\u0000b.md', 'a\nb.md', 'a\u202eb.md'],
  `${'é'.repeat(200)}.md`,
])('the item %j gets a name that leads nowhere else and says nothing to a tool', (rowKey) => {
  expect(namesOf(rowKey)).toEqual(['renamed/000001.md']);
});

test('no file takes the place of another, on systems that ignore case too, and an item that comes again keeps its name', () => {
  expect(namesOf('a.md', 'A.md', 'a.md/b.md', 'c/d.md', 'C', 'a.md', 'A.md', 'ﬁ.md', 'fi.md')).toEqual([
    'items/a.md',
    'renamed/000001.md',
    'renamed/000002.md',
    'items/c/d.md',
    'renamed/000003.md',
    'items/a.md',
    'renamed/000001.md',
    'items/ﬁ.md',
    'renamed/000004.md',
  ]);
});
