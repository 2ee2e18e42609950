import { expect, test } from 'vitest';
import { foldersOfOthers, maxRowKeyBytes, namesOther, rowKeyFault } from './row-key.ts';

test.each([
  'a',
  'notes/a.md',
  '.hidden/..a/b..',
  '...',
  'with space/and "quotes"',
  '日本語/é.md',
  '$where',
  '__proto__',
  'a.b',
  '%2e%2e/a',
  'x'.repeat(maxRowKeyBytes),
  'é'.repeat(maxRowKeyBytes / 2),
  'two\u2028lines/a.md',
  'decisions/0193-use-sqlite',
  'decisions/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa.md',
  'notes/decisions/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa',
  'projects/alpha.md',
  'projects/alpha/README',
  'projects/README',
  'projects/two words',
  'emoji ❤️ 👩‍💻 👍🏽 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿.md',
  'می‌خواهم.md',
  'क्‍ष/ශ්‍රී.md',
  '葛󠄀.md',
  'עברית/عربي.md',
])('a relative POSIX path is a row_key: %.40s', (rowKey) => {
  expect(rowKeyFault(rowKey)).toBeUndefined();
});

test.each([
  ['nothing', '', /bytes/],
  ['a byte too much', 'x'.repeat(maxRowKeyBytes + 1), /bytes/],
  ['a byte too much in UTF-8', `a${'é'.repeat(maxRowKeyBytes / 2)}`, /bytes/],
  ['an absolute path', '/etc/passwd', /relative/],
  ['an empty segment', 'a//b', /segment/],
  ['a slash at the end', 'a/', /segment/],
  ['a dot segment', 'a/./b', /segment/],
  ['a way up', 'a/../b', /segment/],
  ['a way up at the end', 'a/..', /segment/],
  ['only a dot', '.', /segment/],
  ['a way up behind a line separator', 'a\u2028/../b', /segment/],
  ['a backslash', 'a\\b', /backslash/],
  ['a NUL', 'a\u0000', /control/],
  ['a line feed', 'a\nb', /control/],
  ['a DEL', 'a\u007f', /control/],
  ['a C1 control', 'a\u0085', /control/],
  ['an accent of its own (NFD)', 'e\u0301.md', /NFC/],
  ['half of a pair', 'a\ud800', /NFC/],
  ['a zero-width space', 'a\u200bb.md', /invisible/],
  ['a soft hyphen', 'a\u00adb', /invisible/],
  ['a byte-order mark', '\ufeffa', /invisible/],
  ['a word joiner', 'a\u2060b', /invisible/],
  ['a joiner between Latin letters', 'a\u200db', /invisible/],
  ['a non-joiner at the end of a word', 'می\u200c.md', /invisible/],
  ['a joiner behind an emoji', '👩\u200d', /invisible/],
  ['a variation of a letter', 'a\ufe0f', /invisible/],
  ['tags behind a letter', 'a\u{e0061}\u{e0062}', /invisible/],
  ['tags that are no flag', '🏴\u{e0061}\u{e007f}', /invisible/],
  ['a filler', 'a\u3164b', /invisible/],
  ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'].map(
    (mark) => ['a mark of direction', `a${mark}b`, /order/] as const,
  ),
  ['the name of a decision', 'decisions/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa', /decisions/],
  ['the name of a decision in capitals', 'decisions/01937A7E-8A4C-7A33-B1A6-55D3A1F0C2AA', /decisions/],
  ['the name of a task', 'tasks/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa', /decisions/],
  ['the name of a project', 'projects/alpha', /decisions/],
  ...[' ', '\u00a0', '\u3000', '\u2800'].map(
    (blank) =>
      [
        'a name with a blank behind it',
        `decisions/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa${blank}`,
        /decisions/,
      ] as const,
  ),
  ['the name of a project with blanks around it', '  projects/alpha  ', /decisions/],
] as readonly (readonly [string, string, RegExp])[])('%s is no row_key', (_, rowKey, fault) => {
  expect(rowKeyFault(rowKey)).toMatch(fault);
});

test('names of other things lie in the folders that are looked through for them', () => {
  const names = [
    'decisions/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa',
    'projects/a',
    'projects/a ',
    `projects/${'a'.repeat(64)}`,
  ];
  for (const name of names) {
    expect(namesOther(name)).toBe(true);
    expect(foldersOfOthers.some((folder) => name.startsWith(folder))).toBe(true);
  }
  expect(namesOther(`projects/${'a'.repeat(65)}`)).toBe(false);
});
