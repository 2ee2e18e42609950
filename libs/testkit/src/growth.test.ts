import { expect, test } from 'vitest';
import { growthOf } from './growth.ts';

let sum = 0;

/** Work of so many steps. */
function steps(count: number): void {
  for (let step = 0; step < count; step += 1) sum = (sum * 31 + step) % 1_000_003;
}

const shapes = [
  { opening: '', unit: 'a' },
  { opening: '>', unit: 'b\n' },
];
const options = { characters: 8_192, withinMs: 10_000 };

test('work that takes four times as long for twice the text is found, with its shape', () => {
  const isSlow = (text: string) => text.startsWith('>');
  const work = (text: string) => steps(isSlow(text) ? text.length ** 2 : text.length);
  const { checked, tooFast } = growthOf(work, shapes, options);
  expect(checked).toBe(2);
  expect(tooFast).toEqual([expect.stringMatching(/^[34]\.\d\d .*"opening":">"/)]);
});

test('slow work that takes twice as long for twice the text is not', () => {
  expect(growthOf((text) => steps(text.length * 2_000), shapes, options).tooFast).toEqual([]);
});
