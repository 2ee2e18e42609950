import { expect, test } from 'vitest';
import { headingText, markdownBlocks } from './blocks.ts';

function blocks(content: string): [number, string][] {
  return markdownBlocks(content).map(({ level, start, end }) => [level, content.slice(start, end)]);
}

test('headings of both kinds and paragraphs are blocks of their own', () => {
  expect(blocks('# One #\ntext\nmore\n\nTwo\n===\nThree\n---\n- item\n---\n####### no heading')).toEqual([
    [1, '# One #'],
    [0, 'text\nmore'],
    [1, 'Two'],
    [2, 'Three'],
    [0, '- item\n---\n####### no heading'],
  ]);
});

test.for(['```', '~~~~', '  ```sh'])('nothing inside a block fenced by %j is a heading', (fence) => {
  const content = `${fence}\n# not a heading\n\nstill code\n${fence.trim().replace('sh', '')}\n# Heading`;
  expect(blocks(content).map(([level]) => level)).toEqual([0, 1]);
});

test('a fence is closed only by one as long, of its own kind; one never closed runs to the end', () => {
  expect(blocks('````\n```\n# a\n~~~~\n# b').map(([level]) => level)).toEqual([0]);
});

test('backticks around words of a line are no fence', () => {
  expect(blocks('```code``` in a line\n\n# Heading').map(([level]) => level)).toEqual([0, 1]);
});

test('lines may end as on Windows', () => {
  const content = '# One\r\n\r\ntext\r\n';
  const [heading] = markdownBlocks(content);
  expect(heading && headingText(content, heading, 100)).toBe('One');
  expect(blocks(content)).toHaveLength(2);
});

test('the text of a heading comes without its marks, cut to the limit', () => {
  const content = '  ## A *long* name ##';
  const [heading] = markdownBlocks(content);
  expect(heading && headingText(content, heading, 100)).toBe('A *long* name');
  expect(heading && headingText(content, heading, 4)).toBe('A *l');
});
