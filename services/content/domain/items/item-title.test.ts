import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { expect, test } from 'vitest';
import { itemTitle } from './item.ts';

test.each([
  ['front matter', '# Heading', { title: ' Given ' }, 'Given'],
  ['the first heading', 'text\n\n## Second level ##\n# First level', {}, 'Second level'],
  ['a heading, where front matter has no text', '# Heading', { title: 7 }, 'Heading'],
  ['a heading, where front matter is blank', '# Heading', { title: ' ' }, 'Heading'],
  ['a heading, where front matter is not Unicode', '# Heading', { title: '\ud800' }, 'Heading'],
  ['a heading after carriage returns', 'text\r\n# Heading\r\n', {}, 'Heading'],
  ['a heading that ends in a hash of its own', '# C#', {}, 'C#'],
  ['the file, where a heading is in code', '```md\n# Code\n```', {}, 'file.name'],
  ['a heading after code', '~~~\n# Code\n```\n~~~\n# Heading', {}, 'Heading'],
  ['a heading after an empty one', '# \n# #\n# Heading', {}, 'Heading'],
  ['an underlined heading', 'text\n\nSetext\n===\n\n# Heading', {}, 'Setext'],
  ['an underlined heading of several lines', '***\r\n  Setext\r\nheading\r\n --- \r\n', {}, 'Setext heading'],
  ['a heading after an underlined quote', '> quote\nlazy\n===\n\n# Heading', {}, 'Heading'],
  ['a heading after a list and a rule', '- entry\n---\n1) entry\n===\n# Heading', {}, 'Heading'],
  ['a heading after a table', '| a |\n---\n| b |\n---\n# Heading', {}, 'Heading'],
  ['a heading after HTML', '<div>\ntext\n---\n\n# Heading', {}, 'Heading'],
  ['a heading after a quote within a paragraph', 'text\n> quote\n===\n# Heading', {}, 'Heading'],
  ['a heading after underlined code', '    code\n===\n\n```\ncode\n---\n```\n---\n# Heading', {}, 'Heading'],
  ['a heading after nothing underlined', '===\n\n---\n# Heading', {}, 'Heading'],
  [
    'a heading behind front matter',
    '---\r\ntags: a\r\n# note\r\n---\r\nText\r\n\r\n# Heading',
    {},
    'Heading',
  ],
  ['a heading behind a byte-order mark', '\ufeff# Heading', {}, 'Heading'],
  ['an underlined heading behind a byte-order mark', '\ufeffSetext\n=', {}, 'Setext'],
  ['the file, where no space follows the hash', '#tag', {}, 'file.name'],
  ['the file, where there are seven hashes', '####### deep', {}, 'file.name'],
  ['the file, where the line is indented code', '    # Code', {}, 'file.name'],
])('the title is %s', (_, content, frontmatter, title) => {
  expect(itemTitle('folder/file.name.md', content, frontmatter)).toBe(title);
});

test.each([
  ['.md', '.md'],
  ['folder.d/README', 'README'],
])('the file name of %s is %s', (rowKey, title) => {
  expect(itemTitle(rowKey, '', {})).toBe(title);
});

test.each([
  ['**Bold** and _slanted_ `code` ~~gone~~', 'Bold and slanted code gone'],
  ['[a link](javascript:alert(1)) and ![a picture](https://evil.example/x.png)', 'a link and a picture'],
  ['<img src=x onerror=alert(1)>Ferry<script>alert(1)</script>', 'Ferryalert(1)'],
  ['<img src=x onerror=alert(1)//', 'img src=x onerror=alert(1)//'],
  ['&lt;img src=x&gt; &amp; more', '& more'],
  ['\\<b\\>deep\\</b\\>', 'deep'],
  ['`<b>` in code', 'in code'],
  ['# > - Heading', 'Heading'],
  ['one\u0000two\n\tthree\u001b[31m', 'one two three [31m'],
  ['pay\u202egnp.exe\u200b', 'paygnp.exe'],
  ['<https://evil.example>', 'https://evil.example'],
  ['1. Introduction to C# & a < b_c_d', '1. Introduction to C# & a < b_c_d'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['👩‍🚀 crew', '👩‍🚀 crew'],
])('the title %j is %j as plain text, which stays what it is', (given, plain) => {
  expect(itemTitle('a.md', '', { title: given })).toBe(plain);
  expect(itemTitle('a.md', `# ${given.replaceAll('\n', ' ').replaceAll('\0', ' ')}`, {})).toBe(plain);
  expect(itemTitle('a.md', '', { title: plain })).toBe(plain);
});

test.each([
  ['a heading, where the title is a picture', '# Heading', { title: '![](x.png)' }, 'Heading'],
  ['the file name, where the heading is a tag', '# <br>', {}, 'file'],
])('the title is %s', (_, content, frontmatter, title) => {
  expect(itemTitle('folder/file.md', content, frontmatter)).toBe(title);
});

test('a file name that is nothing but markup is no title', () => {
  expect(itemTitle('<b>.md', '', {})).toBe('Untitled');
});

test('a long title is cut between characters', () => {
  const title = itemTitle('a.md', '', { title: `x${'😀'.repeat(maxTitleCharacters)}` });
  expect([...title]).toHaveLength(maxTitleCharacters);
  expect(title.isWellFormed()).toBe(true);
});

test('a heading that is cut off within a character is still Unicode', () => {
  expect(itemTitle('a.md', `# ${' '.repeat(997)}😀`, {}).isWellFormed()).toBe(true);
});

test.each([
  ['spaces before a line separator', `# ${' '.repeat(997)}\u2028`],
  ['spaces within', `# a${' '.repeat(990)}b`],
  ['hashes and spaces', `#${' #'.repeat(499)}\u2028`],
  ['fences', '`'.repeat(1_000)],
  ['paragraphs', 'a\n'.repeat(500)],
  ['underlines', `${'='.repeat(500)}${' '.repeat(499)}x`],
  ['a rule and blank lines', `---${'\n'.repeat(20_000)}`],
])('a megabyte of %s is read in no time', (_, line) => {
  const tookMs = processorMilliseconds(() => itemTitle('a.md', `${line}\n`.repeat(1_000), {}));
  // It takes a millisecond or so; one expression for the whole line took 19 seconds.
  expect(tookMs).toBeLessThan(500);
});
