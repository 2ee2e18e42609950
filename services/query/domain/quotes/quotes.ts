import { wordsOfPath } from '../passages/field-words.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import { pairShare } from '../ranking/term-pairs.ts';
import type { WantedTerms } from '../ranking/wanted-terms.ts';
import type { Span } from '../text/sentences.ts';
import type { Findings } from '../views/view-index.ts';
import type { Quotable } from './quotable-parts.ts';
import { quotableSentences } from './quotable-sentences.ts';

/** Share of the question's weight that a sentence of another passage than the best must cover. */
const minCoverage = 0.35;

/** What an answer may quote, with its place in the text of its passage. */
export interface Quote extends Quotable {
  hit: ScoredPassage;
  /** Place of the passage among those found, from 0. */
  rank: number;
  /** Its words, after those that it stands under. */
  text: string;
  /** Larger is better; comparable among the quotes of one answer. */
  score: number;
  /** Share of the question's weight that it has. */
  covered: number;
  /** It has as much of the question as its whole passage. */
  complete: boolean;
}

/**
 * What of a passage may be quoted, in order. A quote scores the share of the
 * question's weight that it covers together with what it stands under, title
 * and headings included; the share of the question's pairs of
 * neighbouring words that it has; and how its passage compares to the best one.
 */
export function quotesOf(hit: ScoredPassage, rank: number, findings: Findings): Quote[] {
  const { wanted, numbersOf } = findings;
  const { rowKey, text: passage } = hit.passage;
  const relativeScore = hit.score / (findings.passages[0]?.score ?? hit.score);
  const above = [...hit.terms.subarray(0, hit.headLength), ...numbersOf(wordsOfPath(rowKey))];
  const coveredByPassage = coverage([...above, ...hit.terms.subarray(hit.headLength)], wanted);
  const shown = ({ start, end }: Span) => passage.slice(start, end);
  /** By the place where they begin: many quotes stand under the same words. */
  const known = new Map<number, number[]>();
  const termsOf = (span: Span) => {
    const terms = known.get(span.start) ?? numbersOf(shown(span));
    known.set(span.start, terms);
    return terms;
  };
  const quotes: Quote[] = [];
  for (const quotable of quotableSentences(passage)) {
    const terms = [...quotable.under, quotable].flatMap(termsOf);
    // The best passage may need its neighbours to be understood; from others only what is to the point.
    if (rank > 0 && coverage(terms, wanted) < minCoverage) continue;
    const text = [...quotable.under, quotable].map(shown).join('\n');
    const covered = coverage([...above, ...terms], wanted);
    const score = covered + pairShare(wanted.pairs, terms) + relativeScore;
    quotes.push({ ...quotable, hit, rank, text, score, covered, complete: covered === coveredByPassage });
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
