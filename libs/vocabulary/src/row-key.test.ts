import { expect, test } from 'vitest';
import { maxRowKeyBytes, rowKeyFault, rowKeyPattern } from './row-key.ts';

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
])('a relative POSIX path is a row_key: %.40s', (rowKey) => {
  expect(rowKeyFault(rowKey)).toBeUndefined();
  expect(rowKey).toMatch(new RegExp(rowKeyPattern));
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
])('%s is no row_key', (_, rowKey, fault) => {
  expect(rowKeyFault(rowKey)).toMatch(fault);
  const isBeyondPattern = /bytes|NFC/.test(fault.source) && rowKey !== '';
  expect(new RegExp(rowKeyPattern).test(rowKey)).toBe(isBeyondPattern);
});
