import type { ScoredPassage } from './bm25-index.ts';
import { quotableSentences } from './quotable-sentences.ts';
import { pairShare } from './term-pairs.ts';
import type { Findings } from './view-index.ts';
import type { WantedTerms } from './wanted-terms.ts';

/** Share of the question's weight that a sentence of another passage than the best must cover. */
const minCoverage = 0.35;

/** A sentence that an answer may quote. */
export interface Quote {
  hit: ScoredPassage;
  /** Place of the passage among those found, from 0. */
  rank: number;
  /** Place in the passage, in UTF-16 units. */
  start: number;
  text: string;
  /** Larger is better; comparable among the quotes of one answer. */
  score: number;
  /** Share of the question's weight that it has. */
  covered: number;
  /** It has as much of the question as its whole passage. */
  complete: boolean;
}

/**
 * The sentences of a passage that may be quoted, in order. A sentence scores
 * the share of the question's weight that it covers, the share of the
 * question's pairs of neighbouring words that it has, and how its passage
 * compares to the best one.
 */
export function quotesOf(hit: ScoredPassage, rank: number, findings: Findings): Quote[] {
  const { wanted, numbersOf } = findings;
  const relativeScore = hit.score / (findings.passages[0]?.score ?? hit.score);
  const coveredByPassage = coverage(hit.terms.subarray(hit.headLength), wanted);
  const quotes: Quote[] = [];
  for (const { start, end } of quotableSentences(hit.passage.text)) {
    const text = hit.passage.text.slice(start, end);
    const terms = numbersOf(text);
    const covered = coverage(terms, wanted);
    // The best passage may need its neighbours to be understood; from others only what is to the point.
    if (rank > 0 && covered < minCoverage) continue;
    const score = covered + pairShare(wanted.pairs, terms) + relativeScore;
    quotes.push({ hit, rank, start, text, score, covered, complete: covered === coveredByPassage });
  }
  return quotes;
}

/** Share of the question's weight that these terms have, 0 to 1. */
function coverage(present: Iterable<number>, { telling }: WantedTerms): number {
  const words = new Set(present);
  let found = 0;
  let wanted = 0;
  for (const { number, weight } of telling) {
    wanted += weight;
    if (words.has(number)) found += weight;
  }
  return wanted === 0 ? 0 : found / wanted;
}
