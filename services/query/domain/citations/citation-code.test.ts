import { expect, test } from 'vitest';
import { createCodeTracker } from './citation-filter.ts';

/** Whether each `?` of a text stands in code. */
function inCode(text: string): boolean[] {
  const code = createCodeTracker();
  const found: boolean[] = [];
  for (const character of text) {
    if (character === '?') found.push(code.inCode());
    code.read(character);
  }
  return found;
}

test.for([
  ['? `?` ?', [false, true, false]],
  ['``? ` ?`` ?', [true, true, false]],
  ['`?\n?', [true, false]],
  ['```ts\n? `\n?\n```\n?', [true, true, false]],
  ['````\n```\n?\n`````\n?', [true, false]],
  ['> ```\n> ?\n> ```\n> ?', [true, false]],
  ['a ``` ?\n?', [true, false]],
  ['- ```\n  ?\n  ```\n?', [true, false]],
] as const)('%j', ([text, expected]) => {
  expect(inCode(text)).toEqual(expected);
});

test('a line has begun as soon as it shows something', () => {
  const code = createCodeTracker();
  for (const character of 'a\n > ') code.read(character);
  expect(code.atLineStart()).toBe(true);
  code.read('a');
  expect(code.atLineStart()).toBe(false);
});
