import { expect, test } from 'vitest';
import { createMarkup } from './markup.ts';

const markupOf = createMarkup('line', 'Image');
const levelsOf = (text: string) =>
  [
    ...markupOf(text)
      .join('')
      .matchAll(/<h(\d)/g),
  ]
    .map(([, level]) => level)
    .join('');

test.each([
  ['siblings', '# A\n\n## B\n\n## C\n\n### D\n\n## E', '34454'],
  ['siblings without a title above them', '## A\n\n## B\n\n### C\n\n## D', '3343'],
  ['a text that leaves out levels', '# A\n\n#### B\n\n#### C\n\n## D', '3444'],
  ['a text that begins deep', '### A\n\n## B\n\n### C', '334'],
])('headings of %s have the levels that they have beside each other', (_, text, levels) => {
  expect(levelsOf(text)).toBe(levels);
});

test('a text as long as an item may be is laid out in pieces that a page can take one by one', () => {
  const paragraph = `${'Some words of a long note. '.repeat(10)}\n\n`;
  const text = `# Long\n\n${paragraph.repeat(3_800)}`;
  const pieces = markupOf(text);
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces) expect(piece.match(/<[a-z]/g)?.length).toBeLessThanOrEqual(1_000);
  expect(pieces.join('').match(/<p /g)).toHaveLength(3_800);
});

test('a text with more elements than a page can show is refused', () => {
  expect(() => markupOf('a\n\n'.repeat(70_000))).toThrow(RangeError);
  expect(() => markupOf('- a\n'.repeat(9_000))).toThrow(RangeError);
});
