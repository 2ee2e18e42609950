import { expect, test } from 'vitest';
import { quotableSentences } from './quotable-sentences.ts';

function quotes(text: string): string[] {
  return quotableSentences(text).map(({ start, end }) => text.slice(start, end));
}

test('paragraphs give their sentences, line breaks inside a sentence included', () => {
  expect(quotes('One two\nthree. Four.\n\nFive')).toEqual(['One two\nthree.', 'Four.', 'Five']);
});

test('items, quotes and headings come without their marks', () => {
  const text = '- one\n* [x] two\n10. three\n> four\n## Five\n>>> - six';
  expect(quotes(text)).toEqual(['one', 'two', 'three', 'four', 'Five', 'six']);
});

test('table rows and lines of code stand alone, rules and fences are left out', () => {
  const text = '| a | b |\n|---|---|\n| 1. X | 2 |\n\n***\n```sh\nnpm start. Now\n# comment\n```\nAfter.';
  expect(quotes(text)).toEqual(['| a | b |', '| 1. X | 2 |', 'npm start. Now', '# comment', 'After.']);
});

test('emphasis and negative numbers are not list marks', () => {
  expect(quotes('*Note* this\n\n-5 degrees')).toEqual(['*Note* this', '-5 degrees']);
});
