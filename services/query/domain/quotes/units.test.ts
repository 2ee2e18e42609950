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

test('headings, quoted lines and notes of more than they may have whole come without their marks', () => {
  expect(words('## Five\n\n[^1]: A note.')).toEqual(['Five', 'A note.']);
  const long = 'It is so. '.repeat(60).trim();
  expect(new Set(words(`> - ${long}`))).toEqual(new Set(['It is so.']));
});

test('a list item is one quote with its mark, its box and its number, however many sentences it has', () => {
  const text = '- One. Two.\n* [x] two\n  goes on\n10. three';
  expect(words(text)).toEqual(['- One. Two.', '* [x] two\n  goes on', '10. three']);
});

test('a long list item is quoted by the sentence', () => {
  const text = `- ${'It is so. '.repeat(60).trim()}`;
  expect(new Set(words(text))).toEqual(new Set(['It is so.']));
});

test('an item comes under the items that it stands below, and a mere label does not come alone', () => {
  const text = '- Ada\n  - today: tests\n- Bo does a lot.\n  - today: lunch\n    - at noon';
  expect(wordsUnder(text)).toEqual([
    '- Ada /   - today: tests',
    '- Bo does a lot.',
    '- Bo does a lot. /   - today: lunch /     - at noon',
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
  expect(wordsUnder('1. Stop it:\n\n   ```sh\n   stop\n   ```\n2. Look.')).toEqual([
    '1. Stop it: /    ```sh\n   stop\n   ```',
    '2. Look.',
  ]);
});

test('what stands under an item and an announcement within it comes under both, in their order', () => {
  expect(wordsUnder('- An item.\n\n  Run it so:\n\n  ```\n  run\n  ```')).toEqual([
    '- An item.',
    '- An item. / Run it so: /   ```\n  run\n  ```',
  ]);
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

test('a bold word comes with the sentence that it announces', () => {
  expect(wordsUnder('**Why.** Our caches key on URLs. One client asked.')).toEqual([
    '**Why.** / Our caches key on URLs.',
    'One client asked.',
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

test('lines behind > are one quote', () => {
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
