import { headWeight, saturated, saturationLimit } from './bm25.ts';
import { tellingWeight } from './missing-words.ts';
import type { ScoredPassage } from './scored-passage.ts';
import { pairShare } from './term-pairs.ts';
import type { WantedTerm, WantedTerms } from './wanted-terms.ts';

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
export function evidenceOf(hit: ScoredPassage, { telling, pairs }: WantedTerms): number {
  if (telling.length === 0) return 0;
  const frequencies = frequenciesOf(telling, hit);
  const relativeLength = Math.min(hit.relativeLength, maxRelativeLength);
  let found = 0;
  let wanted = 0;
  for (const [place, term] of telling.entries()) {
    const weight = tellingWeight(term);
    const part = saturated(frequencies[place] ?? 0, relativeLength);
    wanted += weight * saturationLimit;
    found += weight * part * (term.guessed ? guessedWeight(term.text) : 1);
  }
  const neighbours = pairWeight * pairShare(pairs, hit.terms);
  return (found / wanted + neighbours) * lengthFactor(telling.length);
}

/** How often a passage has each of these terms, those of its head counted by their weight. */
function frequenciesOf(wanted: readonly WantedTerm[], { terms, headLength }: ScoredPassage): Float64Array {
  const places = new Map(wanted.map(({ number }, place) => [number, place]));
  const frequencies = new Float64Array(wanted.length);
  for (const [index, number] of terms.entries()) {
    const place = places.get(number);
    if (place !== undefined)
      frequencies[place] = (frequencies[place] ?? 0) + (index < headLength ? headWeight : 1);
  }
  return frequencies;
}

/** A word may not be what was meant by the one it was taken for; the shorter, the likelier it is another. */
function guessedWeight({ length }: string): number {
  return 1 - 2 / length;
}

function lengthFactor(words: number): number {
  return Math.min(words, shortQuestion) ** shortExponent * Math.max(1, words / shortQuestion) ** longExponent;
}
