import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { thoughtIn } from './thought.ts';

/** A match by how many of these words a text has. */
const matching =
  (...words: string[]) =>
  (text: string) =>
    words.filter((word) => text.includes(word)).length;

const filler = 'The harbour is cold in winter and nobody swims there. '.repeat(8).trim();

test('a short passage is shown whole, and the sentence that matches best is its quote', () => {
  const text = 'Backups run at three. They are kept for ninety days. Ask Ada.';
  expect(thoughtIn(text, matching('kept', 'days'), 500)).toMatchObject({
    text,
    quote: 'They are kept for ninety days.',
    endsInBlock: false,
  });
});

test('of a long passage the paragraph, list, steps or code around the best match is shown', () => {
  const steps = 'Roll back:\n\n1. Stop the job.\n2. Find the release.\n3. Run `deploy --release`.';
  const code = '```sh\ndeploy --all\n```';
  const text = `${filler}\n\n${steps}\n\n${filler}\n\n${code}`;
  expect(thoughtIn(text, matching('Find'), 200).text).toBe(steps);
  expect(thoughtIn(text, matching('--all'), 200)).toMatchObject({ text: code, endsInBlock: true });
});

test('a table that is cut keeps its header and the rows that match', () => {
  const rows = Array.from({ length: 30 }, (_, row) => `| host${row} | ${9_000 + row} |`);
  const table = ['| host | port |', '|---|---|', ...rows, '| cache | 6380 |'].join('\n');
  expect(thoughtIn(table, matching('cache'), 300)).toMatchObject({
    text: '| host | port |\n|---|---|\n| cache | 6380 |',
    quote: '| cache | 6380 |',
    endsInBlock: true,
  });
});

test('a long paragraph, list or block of code is cut between its parts, and says that there is more', () => {
  expect(thoughtIn(`${filler} Keys expire. ${filler}`, matching('Keys'), 130).text).toMatch(
    /^… .*Keys expire\..* …$/s,
  );
  const list = Array.from({ length: 40 }, (_, item) => `- item ${item} of the list`).join('\n');
  expect(thoughtIn(list, matching('item 7 '), 100).text).toMatch(/^- item 7 of the list\n- item 8.*\n\n…$/s);
  const code = `\`\`\`ts\n${'const a = 1;\n'.repeat(40)}const wanted = 2;\n\`\`\``;
  expect(thoughtIn(code, matching('wanted'), 100).text).toMatch(/^```ts\n.*const wanted = 2;\n```$/s);
});

test('time is linear in the passage, whatever it says', () => {
  for (const line of ['- ', '|a|b|\n', '> ', '``` ', 'a. ', '\n\n', '1. a\n\n']) {
    const passage = line.repeat(1_400 / line.length);
    expect(processorMilliseconds(() => thoughtIn(passage, matching('a'), 300))).toBeLessThan(500);
  }
});
