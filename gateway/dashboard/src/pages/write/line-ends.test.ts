import { expect, test } from 'vitest';
import { withLineEndsOf, withPlainLineEnds } from './line-ends.ts';

test.each([
  ['', ''],
  ['a', 'a'],
  ['a\nb\n', 'a\nb\n'],
  ['a\r\nb', 'a\r\nb'],
  ['a\r\nb\r\n\r\n', 'a\r\nb\r\n\r\n'],
  ['a\r\nb\nc\rd\r\n', 'a\r\nb\nc\rd\r\n'],
])('a text that was not edited stays as it is: %j', (original, expected) => {
  expect(withLineEndsOf(original, withPlainLineEnds(original))).toBe(expected);
});

test.each([
  ['a\r\nb\r\n', 'a\nnew\nb\n', 'a\r\nnew\r\nb\r\n'],
  ['a\r\nb\nc\r\n', 'a\nb\nnew\nc\n', 'a\r\nb\nnew\r\nc\r\n'],
  ['a\r\nb\nc', 'a\nc\nd', 'a\r\nc\r\nd'],
  ['a\nb', 'a\nb\n', 'a\nb\n'],
  ['', 'a\nb\n', 'a\nb\n'],
])('of %j, edited as %j, lines that stayed keep their ends', (original, edited, expected) => {
  expect(withLineEndsOf(original, edited)).toBe(expected);
});
