import { Writable } from 'node:stream';
import { expect, it, test } from 'vitest';
import { createProgressBar, printable, printableJson } from './terminal.ts';

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

function draw(isTTY: boolean): string {
  let text = '';
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    text += chunk;
    done();
  };
  const bar = createProgressBar(Object.assign(new Writable({ write }), { isTTY }), 3);
  bar.advance(2);
  bar.stop();
  return text;
}

it('draws a progress bar on a terminal and nothing anywhere else', () => {
  expect(draw(true)).toContain('/3 files');
  expect(draw(false)).toBe('');
});
