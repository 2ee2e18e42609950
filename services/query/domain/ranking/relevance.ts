import { evidenceOf } from './evidence.ts';
import { type AskedWords, type MissingWord, missingWords, shareOf } from './missing-words.ts';
import type { ScoredPassage } from './scored-passage.ts';
import type { WantedTerm } from './wanted-terms.ts';

/** Where no passage has more evidence, a question is refused: most of these are about something else (docs/adr/0022). */
const minEvidence = 0.22;
/** Passages of which one must have it; the right one is almost always among them. */
const passagesLookedAt = 5;
/** Of names and rare words that no note has, from this part of the question's weight on: it is about them. */
const maxMissing = 0.27;
/** A word of this part of the question's weight carries it. */
const carryingShare = 0.45;
/** Less trusted other words do not stand for the word that carries a question; compounds and close synonyms do. */
const minCarryingTrust = 0.6;
/** Of the passages of a view, only what is farther above the average than chance explains is about the question. */
const minMeaning = 0.25;

/** What an answer may be made from. */
export interface Relevance {
  /** As search has them, best first; none where nothing answers. */
  passages: readonly ScoredPassage[];
  /** What the question is about beside that, and no note has. */
  missing: readonly MissingWord[];
}

/**
 * Decides whether passages answer a question: the best of them have enough of it, in words or in meaning, and no name or
 * noun that carries it is missing from the view.
 */
export function relevanceOf(findings: AskedWords & { passages: readonly ScoredPassage[] }): Relevance {
  const { passages, wanted } = findings;
  const best = passages.slice(0, passagesLookedAt);
  const isByMeaning = best.some(({ meaning = 0 }) => meaning >= minMeaning);
  const missing = missingWords(findings, best, isByMeaning);
  if (isByMeaning) return { passages, missing };
  const said = new Set(best.flatMap(({ terms }) => [...terms]));
  const isCarried = wanted.telling.every(
    (term) => shareOf([term], wanted) < carryingShare || isSaid(term, said),
  );
  const isAnswered =
    best.some((hit) => evidenceOf(hit, wanted) >= minEvidence) &&
    missing.reduce((sum, { share }) => sum + share, 0) < maxMissing &&
    isCarried;
  return { passages: isAnswered ? passages : [], missing };
}

/** Whether terms have a word, as the view spells it, or one that surely stands for it. */
function isSaid({ number, alternatives }: WantedTerm, terms: ReadonlySet<number>): boolean {
  return (
    terms.has(number) ||
    alternatives.some((other) => other.trust >= minCarryingTrust && terms.has(other.number))
  );
}
