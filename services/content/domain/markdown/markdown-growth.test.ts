import { anyMarkdownShape, type MarkdownShape, markdownPairs } from '@teammemory/testkit/markdown-grammar.ts';
import { growthOf } from '@teammemory/testkit/processor-time.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { contentSaysPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { expect, test } from 'vitest';
import { itemTitle } from '../items/item.ts';
import { maxSearchedCharacters, taskEntries } from '../tasks/task-entries.ts';

const withinMs = 5_000;
const random = seededRandom(20_261_122);

/** Every pair of pieces first, then pairs and triples of any kind. */
function* shapes(): Generator<MarkdownShape> {
  yield* markdownPairs();
  for (;;) yield anyMarkdownShape(random);
}

function* anyShapes(): Generator<MarkdownShape> {
  for (;;) yield anyMarkdownShape(random);
}

test.each([
  ['tasks of pairs of lines', taskEntries, shapes(), 32 * 1024],
  ['tasks of the longest texts', taskEntries, anyShapes(), maxSearchedCharacters],
  ['titles', (text: string) => itemTitle('a.md', text, {}), shapes(), 20 * 1024],
  ['titles of front matter', (text: string) => itemTitle('a.md', '', { title: text }), anyShapes(), 4 * 1024],
  [
    'the check of front matter',
    (text: string) => contentSaysPrivate(`---\nprivate-\n${text}`),
    anyShapes(),
    64 * 1024,
  ],
] as const)(
  '%s take time linear in the text, whatever it says',
  { timeout: 60_000 },
  (name, work, some, characters) => {
    const { checked, slowestMs, tooFast } = growthOf(work, some, { characters, withinMs });
    console.log(
      `${name}: ${checked} shapes, at most ${slowestMs.toFixed(1)} ms for ${characters} characters`,
    );
    expect(tooFast).toEqual([]);
    // Thousands on an idle machine; a busy one leaves time for few.
    expect(checked).toBeGreaterThan(10);
  },
);
