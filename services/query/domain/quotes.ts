import { analyze } from './analyzer.ts';
import type { ScoredPassage } from './bm25-index.ts';
import { pairShare } from './pair-share.ts';
import { quotableSentences } from './quotable-sentences.ts';
import type { Findings } from './view-index.ts';

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
  const relativeScore = hit.score / (findings.passages[0]?.score ?? hit.score);
  const coveredByPassage = coverage(analyze(hit.passage.text), findings);
  const quotes: Quote[] = [];
  for (const { start, end } of quotableSentences(hit.passage.text)) {
    const text = hit.passage.text.slice(start, end);
    const terms = analyze(text);
    const covered = coverage(terms, findings);
    // The best passage may need its neighbours to be understood; from others only what is to the point.
    if (rank > 0 && covered < minCoverage) continue;
    const score = covered + pairShare(terms, findings.asked) + relativeScore;
    quotes.push({ hit, rank, start, text, score, covered, complete: covered === coveredByPassage });
  }
  return quotes;
}

/** Share of the question's weight that these terms have, 0 to 1. */
function coverage(present: readonly string[], { terms, weightOf }: Findings): number {
  const words = new Set(present);
  let found = 0;
  let wanted = 0;
  for (const term of terms) {
    wanted += weightOf(term);
    if (words.has(term)) found += weightOf(term);
  }
  return wanted === 0 ? 0 : found / wanted;
}
