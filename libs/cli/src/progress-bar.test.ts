import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createProgressBar } from './progress-bar.ts';

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
