import { analyze } from './analyzer.ts';
import { headWeight, saturated, saturationLimit } from './bm25.ts';
import type { ScoredPassage } from './bm25-index.ts';
import { createFourGrams } from './four-grams.ts';
import { generalRarity } from './general-rarity.ts';
import { pairShare } from './pair-share.ts';
import type { Findings } from './view-index.ts';

/** Among short notes a long passage would otherwise have to repeat every word. */
const maxRelativeLength = 1.5;
/** Weight of words that stand together as in the question: by chance they seldom do. */
const pairWeight = 0.2;
/** Weight of forms of a word that its stem misses; never enough by itself. */
const fourGramWeight = 0.1;
/** A long question is less likely to be met by chance, so that a smaller part of it will do. */
const lengthExponent = 0.2;

/**
 * How much speaks for a passage being about a question, 0 to about 2: the
 * share of the question's weight that it has, a word weighing the geometric
 * mean of how rare it is in the team and in general English, and counted as
 * BM25 counts it, so that one in passing weighs less than one that the passage
 * returns to; a fifth of the share of the question's pairs of neighbouring
 * words that it has; a tenth of the share of its four-character runs; times
 * the number of words asked for to the power of 0.2. The weights are such that
 * the measure means the same in a team of three passages and in one of thousands.
 */
export function evidenceOf({ passage, relativeLength }: ScoredPassage, findings: Findings): number {
  const { asked, terms, guessed, weightOf } = findings;
  if (terms.length === 0) return 0;
  const head = analyze([passage.title, ...passage.headings].join('\n'));
  const body = analyze(passage.text);
  const frequencies = new Map<string, number>();
  for (const term of head) frequencies.set(term, (frequencies.get(term) ?? 0) + headWeight);
  for (const term of body) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  let found = 0;
  let wanted = 0;
  for (const term of terms) {
    const weight = Math.sqrt(weightOf(term) * generalRarity(term));
    const part = saturated(frequencies.get(term) ?? 0, Math.min(relativeLength, maxRelativeLength));
    wanted += weight * saturationLimit;
    found += weight * part * (guessed.has(term) ? guessedWeight(term) : 1);
  }
  const pairs = pairWeight * pairShare([...head, ...body], asked);
  const runs = fourGramWeight * fourGramShare(terms, [...frequencies.keys()]);
  return (found / wanted + pairs + runs) * terms.length ** lengthExponent;
}

/** A word may not be what was meant by the one it was taken for; the shorter, the likelier it is another. */
function guessedWeight({ length }: string): number {
  return 1 - 2 / length;
}

function fourGramShare(wanted: readonly string[], words: readonly string[]): number {
  const fourGrams = createFourGrams(wanted, (number) => words[number] ?? '');
  const found = new Set<number>();
  fourGrams.forEachIn([...words.keys()], (run) => found.add(run));
  return fourGrams.wanted.size === 0 ? 0 : found.size / fourGrams.wanted.size;
}
