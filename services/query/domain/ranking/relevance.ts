import { evidenceOf } from './evidence.ts';
import { type AskedWords, type MissingWord, missingWords, tellingWeight } from './missing-words.ts';
import type { ScoredPassage } from './scored-passage.ts';
import { isMet, type WantedTerms } from './wanted-terms.ts';

/** A passage with less evidence answers more questions that it is not about than others (docs/adr/0022). */
const minEvidence = 0.36;
/** Passages that sentences are taken from; the right one is almost always among them. */
const quotedPassages = 5;
/**
 * If a name is missing, and with it more than this share of the question's weight, the rest answers another question.
 */
const maxMissingShare = 2 / 3;

/** Of the passages of a view, only what is farther above the average than chance explains is about the question. */
const minMeaning = 0.25;

/** The passages from which an answer may be made. */
export interface Relevance {
  /** Best first; none where too little speaks for any. */
  passages: readonly ScoredPassage[];
  /** What the question is about beside that, and these passages do not have. None where there are no passages. */
  missing: readonly MissingWord[];
}

/**
 * Chooses the passages that an answer is made from, those with enough evidence in words and
 * those near in meaning, and finds which words of the question they leave open.
 */
export function relevanceOf(findings: AskedWords & { passages: readonly ScoredPassage[] }): Relevance {
  const passages = findings.passages
    .slice(0, quotedPassages)
    .filter((hit) => isNear(hit) || evidenceOf(hit, findings.wanted) >= minEvidence);
  if (passages.length === 0) return { passages, missing: [] };
  const missing = missingWords(findings, passages, passages.some(isNear));
  return missing.length > 0 && missingShare(findings.wanted, passages) > maxMissingShare
    ? { passages: [], missing: [] }
    : { passages, missing };
}

function isNear({ meaning = 0 }: ScoredPassage): boolean {
  return meaning >= minMeaning;
}

/** Share of the question's weight in words that none of the passages has, everyday ones included. */
function missingShare({ telling }: WantedTerms, passages: readonly ScoredPassage[]): number {
  const numbers = new Set(passages.flatMap(({ terms }) => [...terms]));
  let total = 0;
  let missing = 0;
  for (const term of telling) {
    total += tellingWeight(term);
    if (!isMet(term, numbers)) missing += tellingWeight(term);
  }
  return missing / total;
}
