import { expect, test } from 'vitest';
import { linkAddress, linkText } from './link-completion.ts';

test.each([
  ['a.md', 'b.md', 'b.md'],
  ['notes/a.md', 'notes/b.md', 'b.md'],
  ['notes/deep/a.md', 'notes/b.md', '../b.md'],
  ['notes/a.md', 'other/deep/b.md', '../other/deep/b.md'],
  ['', 'notes/b.md', 'notes/b.md'],
  ['notes/a.md', 'notes/two words (new)#1?.md', 'two%20words%20%28new%29%231%3F.md'],
  ['a.md', 'javascript:alert(1)/b.md', './javascript:alert%281%29/b.md'],
])('in %s, a link to %s is %s', (from, to, address) => {
  expect(linkAddress(from, to)).toBe(address);
});

test('a title that somebody else chose stays the words of a link', () => {
  expect(linkText('](javascript:alert(1)) ![x](y)\n# no')).toBe(
    '\\](javascript:alert(1)) \\!\\[x\\](y) # no',
  );
});
