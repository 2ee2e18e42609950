import { anyMarkdownShape, type MarkdownShape, markdownPairs } from '@teammemory/testkit/markdown-grammar.ts';
import { growthOf } from '@teammemory/testkit/processor-time.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { cutIntoPassages, maxPassageLength } from '../passages/passages.ts';
import { extractiveAnswer } from './extractive-answer.ts';
import { unitsOf } from './units.ts';

const withinMs = 5_000;
/** A passage with four on each side. */
const maxSectionLength = 9 * maxPassageLength;
const random = seededRandom(20_261_122);

/** Every pair of pieces first, then pairs and triples of any kind. */
function* shapes(): Generator<MarkdownShape> {
  yield* markdownPairs();
  for (;;) yield anyMarkdownShape(random);
}

function* anyShapes(): Generator<MarkdownShape> {
  for (;;) yield anyMarkdownShape(random);
}

/**
 * Passages as long as they may be, whatever the text says. Cut at headings the first 2,000 are short and cost little, so
 * that a text which has more of them would seem to grow too fast beside one that has fewer.
 */
function quotes(text: string): void {
  for (let start = 0; start < text.length; start += maxPassageLength)
    unitsOf(text.slice(start, start + maxPassageLength));
}

/** Looks for words of the grammar in an item of this text, so that all its passages and their neighbours are quoted from. */
function answer(text: string): void {
  const index = createTeamIndex();
  index.apply(itemPassages(1, text));
  extractiveAnswer(index.view('team').search('Which a and b?', 5));
}

test.each([
  ['passages of pairs of lines', cutIntoPassages, shapes(), 32 * 1024],
  ['passages of long texts', cutIntoPassages, anyShapes(), 256 * 1024],
  ['quotes of an item', quotes, anyShapes(), 64 * 1024],
  ['quotes of one passage', unitsOf, shapes(), maxPassageLength],
  ['quotes of a passage and its neighbours', unitsOf, shapes(), maxSectionLength],
  ['answers from an item', answer, shapes(), maxSectionLength],
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
