import { type Bm25Index, byScore, type ScoredPassage } from './bm25-index.ts';
import { createFourGrams } from './four-grams.ts';
import type { QuestionTerms } from './question-terms.ts';
import { sharedWeights } from './shared-features.ts';

/** Passages looked at again: the right one is among them in all but a few cases, and 200 cost a few milliseconds. */
export const rerankedPassages = 200;
/** Weights beside BM25, round numbers from the middle of where all measured collections do well (docs/answering.md). */
const stopWordWeight = 0.3;
const pairWeight = 0.4;
const fourGramWeight = 0.2;

/** What reranking asks of the index that found the candidates. */
export type TermsOfIndex = Pick<Bm25Index, 'numberOf' | 'termOf' | 'termScore'>;

/**
 * Orders the best candidates again, by their score plus the weight of what
 * else they share with the question: its stop words; pairs of neighbouring
 * words, stop words included; and runs of four characters of its telling
 * words, which see inflections that stems miss. Long passages have more of
 * these runs by chance, so they weigh less there, as in BM25. Candidates
 * after the 200th keep their place, behind the others.
 */
export function rerank(
  question: QuestionTerms,
  candidates: readonly ScoredPassage[],
  index: TermsOfIndex,
): ScoredPassage[] {
  const head = candidates.slice(0, rerankedPassages);
  const pairs = new Set<number>();
  forEachPair(
    question.all.map((term) => index.numberOf(term) ?? -1),
    (pair) => pairs.add(pair),
  );
  const pairWeights = sharedWeights(
    pairs,
    head.map((hit) => (visit) => forEachPair(hit.terms, visit)),
  );
  const fourGrams = createFourGrams(question.telling, index.termOf);
  const runWeights = sharedWeights(
    fourGrams.wanted,
    head.map((hit) => (visit) => fourGrams.forEachIn(hit.terms, visit)),
  );
  const rescored = head.map((hit, place) => {
    const pairsAndRuns =
      pairWeight * (pairWeights[place] ?? 0) +
      (fourGramWeight * (runWeights[place] ?? 0)) / (0.25 + 0.75 * hit.relativeLength);
    const score = hit.score + pairsAndRuns + stopWordWeight * stopWordScore(question.stops, hit, index);
    return { ...hit, score };
  });
  return [...rescored.sort(byScore), ...candidates.slice(rerankedPassages)];
}

/** BM25 of the stop words, which are so frequent that adding them up over all passages would cost more than it is worth. */
function stopWordScore(stops: readonly string[], hit: ScoredPassage, index: TermsOfIndex): number {
  const frequencies = new Map(stops.map((stop) => [index.numberOf(stop) ?? -1, 0]));
  for (const number of hit.terms) {
    const frequency = frequencies.get(number);
    if (frequency !== undefined) frequencies.set(number, frequency + 1);
  }
  let score = 0;
  for (const [number, frequency] of frequencies)
    if (frequency > 0) score += index.termScore(index.termOf(number), frequency, hit.relativeLength);
  return score;
}

/** Numbers of terms stay far below 2^26, so a pair fits a double exactly. */
function forEachPair(numbers: ArrayLike<number>, visit: (pair: number) => void): void {
  for (let index = 1; index < numbers.length; index += 1) {
    const left = numbers[index - 1] ?? -1;
    const right = numbers[index] ?? -1;
    if (left >= 0 && right >= 0) visit(left * 2 ** 26 + right);
  }
}
