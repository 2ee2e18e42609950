import { expect, test } from 'vitest';
import { rowKeyFrom } from './row-key-path.ts';

test.each([
  ['/api/v1/items/a.md', 'a.md'],
  ['/api/v1/items/notes%2Fa%20b.md?x=1', 'notes/a b.md'],
  ['/api/v1/items/notes/a.md', 'notes/a.md'],
  ['/api/v1/items/100%2525.md', '100%25.md'],
  ['/api/v1/items/caf%C3%A9.md', 'café.md'],
  ['/api/v1/items/a+b.md', 'a+b.md'],
])('%s names %j', (url, rowKey) => {
  expect(rowKeyFrom(url)).toBe(rowKey);
});

test('a path that cannot be decoded names no item', () => {
  expect(() => rowKeyFrom('/api/v1/items/%zz')).toThrow('no such item');
  expect(() => rowKeyFrom('/api/v1/items/%ff')).toThrow('no such item');
});
