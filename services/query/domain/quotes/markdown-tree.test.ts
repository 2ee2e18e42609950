import { expect, test } from 'vitest';
import { type Block, markdownTree } from './markdown-tree.ts';

/** Blocks as `kind: text`, what stands in an item in brackets behind it. */
function outline(text: string): unknown[] {
  const of = (block: Block): unknown => {
    if (block.kind !== 'list') return `${block.kind}: ${text.slice(block.start, block.end)}`;
    return [block.isOrdered ? 'steps' : 'list', ...block.items.map(({ blocks }) => blocks.map(of))];
  };
  return markdownTree(text).map(of);
}

test('a wrapped line that begins with a number is text, for a list interrupts a paragraph only at 1', () => {
  expect(outline('The contract ends in\n2027. Then we look\n- at others')).toEqual([
    'paragraph: The contract ends in\n2027. Then we look',
    ['list', ['paragraph: at others']],
  ]);
  expect(outline('Do this:\n1. one\n2. two')).toEqual([
    'paragraph: Do this:',
    ['steps', ['paragraph: one'], ['paragraph: two']],
  ]);
});

test('a mark without words does not interrupt a paragraph', () => {
  expect(outline('Three and\n-\nfour')).toEqual(['heading: Three and', 'paragraph: four']);
  expect(outline('Three and\n*\nfour')).toEqual(['paragraph: Three and', 'paragraph: four']);
});

test('a block behind > goes on with a line that lacks the mark, until a blank line', () => {
  expect(outline('> Never on\nFriday.\n> Nor on Sunday.\n\nAsk Ada.')).toEqual([
    'quote: > Never on\nFriday.\n> Nor on Sunday.',
    'paragraph: Ask Ada.',
  ]);
});

test('items have what is indented below them: lists, code, paragraphs', () => {
  const text =
    '1. Lock it:\n\n   ```sh\n   lock\n   ```\n\n   Wait.\n2. Look\n   - here\n   - there\n\nDone.';
  expect(outline(text)).toEqual([
    [
      'steps',
      ['paragraph: Lock it:', 'code:    ```sh\n   lock\n   ```', 'paragraph:    Wait.'],
      ['paragraph: Look', ['list', ['paragraph: here'], ['paragraph: there']]],
    ],
    'paragraph: Done.',
  ]);
});

test('steps whose code is not indented stay one series, by their numbers', () => {
  expect(outline('1. Do:\n```\nx\n```\n2. Look\n\n5. Other')).toEqual([
    ['steps', ['paragraph: Do:', 'code: ```\nx\n```'], ['paragraph: Look'], ['paragraph: Other']],
  ]);
  expect(outline('1. One\n\nText.\n\n7. Other')).toEqual([
    ['steps', ['paragraph: One']],
    'paragraph: Text.',
    ['steps', ['paragraph: Other']],
  ]);
});

test('what looks like a list in code is code, to its fence or to the end', () => {
  expect(outline('```\n- a\n\n# b\n```\nc')).toEqual(['code: ```\n- a\n\n# b\n```', 'paragraph: c']);
  expect(outline('~~~\n- a\n```')).toEqual(['code: ~~~\n- a\n```']);
});

test('a table ends where a line has no bar', () => {
  expect(outline('a | b\n--|--\n1 | 2\nText')).toEqual(['table: a | b\n--|--\n1 | 2', 'paragraph: Text']);
});

test('an address on the line below its label is not text', () => {
  expect(outline('Text.\n\n[guide]:\n  https://example.com/guide\n\nMore.')).toEqual([
    'paragraph: Text.',
    'paragraph: More.',
  ]);
});

test('lists deeper than ten are text of the tenth', () => {
  const text = Array.from({ length: 14 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n');
  expect(JSON.stringify(outline(text)).split('"list"')).toHaveLength(11);
});

test('links within the page tell nothing, unless words announce them', () => {
  const links = '- [onSend](#onsend)\n- [onError](#onerror)';
  expect(outline(`Text.\n\n${links}`)).toEqual(['paragraph: Text.']);
  expect(outline(`There are two hooks:\n\n${links}`)).toEqual([
    'paragraph: There are two hooks:',
    ['list', ['paragraph: [onSend](#onsend)'], ['paragraph: [onError](#onerror)']],
  ]);
});
