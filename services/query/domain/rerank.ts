import { type Bm25Index, byScore, type ScoredPassage } from './bm25-index.ts';
import { createFourGrams } from './four-grams.ts';
import type { QuestionTerms } from './question-terms.ts';
import { sharedWeights } from './shared-features.ts';

/** Passages looked at again: the right one is among them in all but a few cases, and 200 rank no better. */
export const rerankedPassages = 100;
/** Weights beside BM25, round numbers from the middle of where all measured collections do well (docs/answering.md). */
const stopWordWeight = 0.3;
const pairWeight = 0.4;
const fourGramWeight = 0.2;

/** A bitmap says of most terms at once that the question has them not; asking a set alone takes several times as long. */
const bitmapBits = 16;
const bitmapMask = 2 ** bitmapBits - 1;

/** What reranking asks of the index that found the candidates. */
export type TermsOfIndex = Pick<Bm25Index, 'numberOf' | 'termOf' | 'termScore'>;

/**
 * Orders the best candidates again, by their score plus the weight of what
 * else they share with the question: its stop words; pairs of neighbouring
 * words, stop words included; and runs of four characters of its telling
 * words, which see inflections that stems miss. Long passages have more of
 * these runs by chance, so they weigh less there, as in BM25. Candidates
 * after the 100th keep their place, behind the others.
 */
export function rerank(
  question: QuestionTerms,
  candidates: readonly ScoredPassage[],
  index: TermsOfIndex,
): ScoredPassage[] {
  const head = candidates.slice(0, rerankedPassages);
  const asked = question.all.map((term) => index.numberOf(term) ?? -1);
  const pairs = new Set<number>();
  forEachPair(asked, (pair) => pairs.add(pair));
  const sequences = askedTermsOf(head, asked);
  const pairWeights = sharedWeights(
    pairs,
    sequences.map((sequence) => (visit) => forEachPair(sequence, visit)),
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
    const score =
      hit.score +
      pairsAndRuns +
      stopWordWeight * stopWordScore(question.stops, sequences[place] ?? [], hit, index);
    return { ...hit, score };
  });
  return [...rescored.sort(byScore), ...candidates.slice(rerankedPassages)];
}

/** BM25 of the stop words, which are so frequent that adding them up over all passages would cost more than it is worth. */
function stopWordScore(
  stops: readonly string[],
  sequence: readonly number[],
  { relativeLength }: ScoredPassage,
  index: TermsOfIndex,
): number {
  let score = 0;
  for (const stop of stops) {
    const number = index.numberOf(stop);
    const frequency = sequence.reduce((count, each) => count + (each === number ? 1 : 0), 0);
    if (frequency > 0) score += index.termScore(stop, frequency, relativeLength);
  }
  return score;
}

/** The terms of each passage that the question has too, in order; -1 stands for any others between them. */
function askedTermsOf(candidates: readonly ScoredPassage[], asked: readonly number[]): number[][] {
  const wanted = new Set(asked);
  const mayBeWanted = new Uint8Array(2 ** bitmapBits);
  for (const number of asked) mayBeWanted[number & bitmapMask] = 1;
  return candidates.map(({ terms }) => {
    const sequence: number[] = [];
    for (let place = 0; place < terms.length; place += 1) {
      const number = terms[place] ?? 0;
      if (mayBeWanted[number & bitmapMask] === 1 && wanted.has(number)) sequence.push(number);
      else if (sequence.at(-1) !== -1) sequence.push(-1);
    }
    return sequence;
  });
}

/** Numbers of terms stay far below 2^26, so a pair fits a double exactly. */
function forEachPair(numbers: ArrayLike<number>, visit: (pair: number) => void): void {
  for (let index = 1; index < numbers.length; index += 1) {
    const left = numbers[index - 1] ?? -1;
    const right = numbers[index] ?? -1;
    if (left >= 0 && right >= 0) visit(left * 2 ** 26 + right);
  }
}
