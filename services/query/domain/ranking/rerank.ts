import { otherTerm } from '../words/vocabulary.ts';
import { byScore, type RankedPassage } from './scored-passage.ts';
import { forEachPair, type WantedTerms } from './wanted-terms.ts';

/** Visits the features of a text, each a number from 0 to before the count of all, in any order and with repetitions. */
type Features = (visit: (feature: number) => void) => void;

/**
 * For each candidate, what its features weigh together. A feature weighs its
 * inverse document frequency among the candidates, so the result depends on
 * nothing but them.
 */
export function sharedWeights(featureCount: number, candidates: readonly Features[]): number[] {
  /** Candidate after candidate, 1 for what it has. */
  const has = new Uint8Array(featureCount * candidates.length);
  const frequencies = new Uint32Array(featureCount);
  for (const [index, forEachFeature] of candidates.entries()) {
    const row = has.subarray(index * featureCount, (index + 1) * featureCount);
    forEachFeature((feature) => {
      if (row[feature] === 0) frequencies[feature] = (frequencies[feature] ?? 0) + 1;
      row[feature] = 1;
    });
  }
  const weights = Float64Array.from(frequencies, (frequency) =>
    Math.log(1 + (candidates.length - frequency + 0.5) / (frequency + 0.5)),
  );
  return candidates.map((_, index) => {
    let sum = 0;
    for (let feature = 0; feature < featureCount; feature += 1)
      if (has[index * featureCount + feature] === 1) sum += weights[feature] ?? 0;
    return sum;
  });
}

/** Passages looked at again: the right one is among them in all but a few cases, and 200 rank no better. */
export const rerankedPassages = 100;
/** Weights beside BM25, round numbers from the middle of where all measured collections do well (test/eval). */
const pairWeight = 0.4;
const fourGramWeight = 0.2;

/**
 * Orders the best candidates again, by their score plus the weight of what
 * else they share with the question: pairs of neighbouring words, stop words
 * included; and runs of four characters of its telling words, which see inflections that stems miss. Long passages have more of
 * these runs by chance, so they weigh less there, as in BM25. Candidates
 * after the 100th keep their place, behind the others.
 */
export function rerank(wanted: WantedTerms, candidates: readonly RankedPassage[]): RankedPassage[] {
  const head = candidates.slice(0, rerankedPassages);
  const sequences = sequencesOf(wanted, head);
  const pairWeights = sharedWeights(
    wanted.pairs.size,
    sequences.map((sequence) => (visit) => forEachPair(wanted.pairs, sequence, visit)),
  );
  const runWeights = sharedWeights(
    wanted.fourGrams.count,
    head.map((hit) => (visit) => wanted.fourGrams.forEachIn(hit.text, visit)),
  );
  const rescored = head.map((hit, place) => {
    const pairsAndRuns =
      pairWeight * (pairWeights[place] ?? 0) +
      (fourGramWeight * (runWeights[place] ?? 0)) / (0.25 + 0.75 * hit.relativeLength);
    return { ...hit, score: hit.score + pairsAndRuns };
  });
  return [...rescored.sort(byScore), ...candidates.slice(rerankedPassages)];
}

/** The terms of each passage that the question has too, in order, and one other for all that stand between them. */
function sequencesOf({ numbers }: WantedTerms, candidates: readonly RankedPassage[]): number[][] {
  return candidates.map(({ terms }) => {
    const sequence: number[] = [];
    for (let place = 0; place < terms.length; place += 1) {
      const number = terms[place] ?? 0;
      if (numbers.has(number)) sequence.push(number);
      else if (sequence.at(-1) !== otherTerm) sequence.push(otherTerm);
    }
    return sequence;
  });
}
