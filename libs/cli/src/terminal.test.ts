import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createPaint, line, lines, printable, printableJson } from './terminal.ts';

const hostile = 'a\u001b[2Jb\u009b31mc\u0007d\u202ee\u2066f\r\n\tg';

test('no text from elsewhere moves the cursor of a terminal or turns the direction of writing around', () => {
  expect(printable(hostile)).toBe('a[2Jb31mcdef\n\tg');
});

test('JSON has none of these characters either, and is still the same value', () => {
  const json = printableJson({ text: hostile });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(json)).toEqual({ text: hostile });
});

const terminal = Object.assign(new PassThrough(), { isTTY: true });
const file = Object.assign(new PassThrough(), { isTTY: false });
const red = '\u001b[31mx\u001b[39m';

test.for([
  [{}, terminal, red],
  [{}, file, 'x'],
  [{ NO_COLOR: '1' }, terminal, 'x'],
  [{ NO_COLOR: '' }, terminal, red],
  [{ TERM: 'dumb' }, terminal, 'x'],
  [{ FORCE_COLOR: '1' }, file, red],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, file, red],
  [{ FORCE_COLOR: '0' }, terminal, 'x'],
] as const)(
  'colours are shown on a terminal only, unless the environment says otherwise: %j',
  ([env, stream, text]) => {
    expect(createPaint(env, stream)('red', 'x').value).toBe(text);
  },
);

test('colours survive in text that is put together, and control characters of foreign text do not', () => {
  const paint = createPaint({}, terminal);
  const text = line`${paint('red', 'x')} ${hostile} ${1}`;
  expect(text.value).toBe(`${red} a[2Jb31mcdef\n\tg 1`);
  expect(paint('red', hostile).value).not.toContain('\u001b[2J');
  expect(lines([text, '\u001bb']).value).toBe(`${text.value}\nb`);
});
