import { tellingWeight } from './missing-words.ts';
import type { RankedPassage } from './scored-passage.ts';
import { headWeight, saturated, saturationLimit } from './scoring.ts';
import { metBy, pairShare, type WantedTerm, type WantedTerms } from './wanted-terms.ts';

/** Among short notes a long passage would otherwise have to repeat every word. */
const maxRelativeLength = 1.5;
/** Weight of words that stand together as in the question: by chance they seldom do. */
const pairWeight = 0.2;
/** Questions of more words than this are long. */
const shortQuestion = 8;
/** The more words a question has, the less likely they are met by chance, so that a smaller part of them will do. */
const shortExponent = 0.2;
/** No note repeats a paragraph: of one with 50 words a third of what a short question needs is enough. */
const longExponent = 0.6;

/**
 * How much speaks for a passage being about a question, 0 to about 2 for a short one: the
 * share of the question's weight that it has, a word weighing the geometric
 * mean of how rare it is in the team and in general English, and counted as
 * BM25 counts it, so that one in passing weighs less than one that the passage
 * returns to; a fifth of the share of the question's pairs of neighbouring
 * words that it has; times the number of words asked for to the power of 0.2,
 * and of 0.6 beyond the eighth. The weights are such that
 * the measure means the same in a team of three passages and in one of thousands.
 */
export function evidenceOf(hit: RankedPassage, { telling, pairs }: WantedTerms): number {
  if (telling.length === 0) return 0;
  const frequencies = frequenciesOf(telling, hit);
  const relativeLength = Math.min(hit.relativeLength, maxRelativeLength);
  let found = 0;
  let wanted = 0;
  for (const term of telling) {
    const weight = tellingWeight(term);
    wanted += weight * saturationLimit;
    found += weight * metBy(term, (number) => saturated(frequencies.get(number) ?? 0, relativeLength));
  }
  const neighbours = pairWeight * pairShare(pairs, hit.terms);
  return (found / wanted + neighbours) * lengthFactor(telling.length);
}

/** By number of a term that meets one of these words, how often a passage has it, those of its head counted by their weight. */
function frequenciesOf(
  wanted: readonly WantedTerm[],
  { terms, headLength }: RankedPassage,
): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (const { number, alternatives } of wanted) {
    frequencies.set(number, 0);
    for (const other of alternatives) frequencies.set(other.number, 0);
  }
  for (let index = 0; index < terms.length; index += 1) {
    const number = terms[index] as number;
    const frequency = frequencies.get(number);
    if (frequency !== undefined) frequencies.set(number, frequency + (index < headLength ? headWeight : 1));
  }
  return frequencies;
}

function lengthFactor(words: number): number {
  return Math.min(words, shortQuestion) ** shortExponent * Math.max(1, words / shortQuestion) ** longExponent;
}
