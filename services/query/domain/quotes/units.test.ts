import { expect, test } from 'vitest';
import { unitsOf } from './units.ts';

function words(text: string): string[] {
  return unitsOf(text).map(({ start, end }) => text.slice(start, end));
}

/** Each quote behind what it stands under, all parts between bars. */
function wordsUnder(text: string): string[] {
  const shown = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return unitsOf(text).map((quote) => [...quote.under, quote].map(shown).join(' / '));
}

test('paragraphs give their sentences, line breaks inside a sentence included', () => {
  expect(words('One two\nthree. Four.\n\nFive')).toEqual(['One two\nthree.', 'Four.', 'Five']);
});

test('notes and headings come without their marks, and a heading with what follows it', () => {
  expect(wordsUnder('## Five\n\n[^1]: A note.')).toEqual(['Five / A note.']);
  expect(words('## Five')).toEqual(['Five']);
});

test('a list item is one unit with its mark, its box and its number, however many sentences it has', () => {
  const text = '- One. Two.\n* [x] two\n  goes on\n- three';
  expect(words(text)).toEqual(['- One. Two.', '* [x] two\n  goes on', '- three']);
});

test('a long list item is quoted by the sentence', () => {
  const text = `- ${'It is so. '.repeat(60).trim()}`;
  expect(new Set(words(text))).toEqual(new Set(['It is so.']));
});

test('a short item has all that stands below it; of a long one each comes under it, and a mere label not alone', () => {
  expect(words('- Ada\n  - today: tests\n- Bo')).toEqual(['- Ada\n  - today: tests', '- Bo']);
  const long = 'many tests '.repeat(20).trim();
  const text = `- Ada\n  - ${long}\n  - ${long}\n- Bo does a lot.\n  - ${long}\n  - ${long}`;
  expect(wordsUnder(text)).toEqual([
    `- Ada /   - ${long}`,
    `- Ada /   - ${long}`,
    '- Bo does a lot.',
    `- Bo does a lot. /   - ${long}`,
    `- Bo does a lot. /   - ${long}`,
  ]);
});

test('what a colon announces comes with the announcement, to the end of the list', () => {
  const text = 'A word. They want:\n\n- salt\n- pepper\n\nThe rest is here.';
  expect(wordsUnder(text)).toEqual([
    'A word.',
    'They want: / - salt',
    'They want: / - pepper',
    'The rest is here.',
  ]);
});

test('a short line without an end is the label of the list below it', () => {
  expect(wordsUnder('Before the first day\n- badge\n- key')).toEqual([
    'Before the first day / - badge',
    'Before the first day / - key',
  ]);
  expect(wordsUnder('We begin at nine.\n- badge')).toEqual(['We begin at nine.', '- badge']);
});

test('lines of a record are quoted one by one', () => {
  expect(words('Owner: Ada\nDue date: 3 March\n**Status:** open')).toEqual([
    'Owner: Ada',
    'Due date: 3 March',
    '**Status:** open',
  ]);
});

test('units of one list, table or paragraph know their series, and which part of it they are', () => {
  const text = 'They want:\n\n1. salt\n2. pepper\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nOne. Two.';
  const places = unitsOf(text).map(({ series, part }) => `${series.kind} ${part + 1}/${series.parts.length}`);
  expect(places).toEqual(['steps 1/2', 'steps 2/2', 'table 1/1', 'prose 1/2', 'prose 2/2']);
});

test('white space at the ends of lines is not quoted', () => {
  expect(words('- one  \r\n- two\r\n\r\n| a |\r\n|---|\r\n| b |\r\n')).toEqual(['- one', '- two', '| b |']);
});

test('what a colon announces may be indented', () => {
  expect(wordsUnder('Run it like this:\n\n    run --all')).toEqual(['Run it like this: / run --all']);
});

test.for(['**Fix**', '<summary>Fix</summary>', '<h2 align="center">Fix</h2>'])(
  '%s serves as a heading: it comes with what follows it',
  (line) => {
    expect(wordsUnder(`${line}\n\nTurn it off. Turn it on.`)).toEqual([
      `${line} / Turn it off.`,
      `${line} / Turn it on.`,
    ]);
  },
);

test('bold words that a paragraph begins with come with each of its sentences', () => {
  expect(wordsUnder('**Why.** Our caches key on URLs. One client asked.')).toEqual([
    '**Why.** / Our caches key on URLs.',
    '**Why.** / One client asked.',
  ]);
});

test('a bold sentence speaks for itself', () => {
  expect(wordsUnder('**Never on Friday.**\n\nAsk Ada.')).toEqual(['**Never on Friday.**', 'Ask Ada.']);
});

test('many lines without a full stop are quoted by the line', () => {
  const text = 'a line of figures\n'.repeat(40).trim();
  expect(new Set(words(text))).toEqual(new Set(['a line of figures']));
});

test('a question comes with its answer, and alone only where none follows', () => {
  expect(wordsUnder('**Q: Why so slow?**\nA: All are busy. Wait.')).toEqual([
    '**Q: Why so slow?** / A: All are busy.',
    'Wait.',
  ]);
  expect(wordsUnder('- Who pays?\n- Who waits?')).toEqual(['- Who pays?', '- Who waits?']);
  expect(wordsUnder('Who pays?')).toEqual(['Who pays?']);
});

test('a row of a table comes under its head, with or without outer bars', () => {
  expect(wordsUnder('| a | b |\n|---|:-:|\n| 1. X | 2 |\n| 3 | 4 |')).toEqual([
    '| a | b |\n|---|:-:| / | 1. X | 2 |',
    '| a | b |\n|---|:-:| / | 3 | 4 |',
  ]);
  expect(wordsUnder('a | b\n--|--\n1 | 2')).toEqual(['a | b\n--|-- / 1 | 2']);
  expect(wordsUnder('| 1 | 2 |')).toEqual(['| 1 | 2 |']);
});

test('short code is quoted whole, with its fences; long code by what stands between its blank lines', () => {
  expect(words('```sh\nnpm start. Now\n\n# comment\n```\nAfter.')).toEqual([
    '```sh\nnpm start. Now\n\n# comment\n```',
    'After.',
  ]);
  const long = 'do(this);\n'.repeat(49);
  expect(wordsUnder(`~~~js\n${long}\nend();\n~~~`)).toEqual([`~~~js / ${long.trim()}`, '~~~js / end();']);
  expect(words(`\`\`\`\n${'x'.repeat(300)}\n${'y'.repeat(300)}\n\`\`\``)).toEqual([
    'x'.repeat(300),
    'y'.repeat(300),
  ]);
});

test('lines behind > are one unit; long ones are quoted by the paragraph', () => {
  const long = `> ${'Never on Friday. '.repeat(20).trim()}`;
  expect(words(`${long}\n>\n${long}`)).toEqual([long, long]);
  expect(words('> **Note**\n> Never on\n> Friday.')).toEqual(['> **Note**\n> Never on\n> Friday.']);
});

test.for([
  '***',
  '├───┼───┤',
  '[guide]: https://example.com "Guide"',
  '- [Setup](#setup)',
  '[![Build](https://x.test/b.svg)](https://x.test) ![Logo][logo]',
  '<p align="center"><img src="x.png"></p>',
  '<!-- YAML\nadded: v1\n-->',
])('what tells a reader nothing is not quoted: %j', (text) => {
  expect(words(`Before.\n${text}\nAfter.`)).toEqual(['Before.', 'After.']);
});

test('emphasis and negative numbers are not list marks', () => {
  expect(words('*Note* this\n\n-5 degrees')).toEqual(['*Note* this', '-5 degrees']);
});

test('hostile passages take no longer than others', () => {
  for (const pattern of ['[', '![', '<', '<a', '|', '> ', '- ', '|-', ' ', ':', '?', '```\n', '[^', '[a]('])
    expect(() => words(pattern.repeat(1_400))).not.toThrow();
});
