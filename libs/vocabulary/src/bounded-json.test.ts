import { expect, test } from 'vitest';
import { parseBoundedJson } from './bounded-json.ts';

const bounds = { maxCharacters: 100, maxValues: 20 };

test.each(['null', '{"a":[1,2,{"b":"c"}]}', JSON.stringify({ text: '[[[[[[,,,,,,{{{{{{\\",,,,,,,,"' })])(
  '%s is parsed',
  (text) => {
    expect(parseBoundedJson(text, bounds)).toEqual(JSON.parse(text));
  },
);

test.each([
  ['more characters', `"${'a'.repeat(100)}"`],
  ['more arrays', '['.repeat(30)],
  ['more elements', `[${'1,'.repeat(30)}1]`],
  ['more objects behind a text with quotes', `["\\"\\\\",${'{},'.repeat(15)}{}]`],
])('a text with %s than it may have is refused before it is parsed', (_, text) => {
  expect(() => parseBoundedJson(text, bounds)).toThrow(RangeError);
});

test('a text that is no JSON is refused', () => {
  expect(() => parseBoundedJson('{"a":', bounds)).toThrow(SyntaxError);
});
