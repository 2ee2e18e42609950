import { evidenceOf } from './evidence.ts';
import type { ScoredPassage } from './scored-passage.ts';
import type { WantedTerms } from './wanted-terms.ts';

/** A passage with less evidence answers more questions that it is not about than others (docs/answering.md). */
const minEvidence = 0.44;
/** Passages that sentences are taken from; the right one is almost always among them. */
const quotedPassages = 5;

/** The passages that an answer is made from, best first: none where too little speaks for any. */
export function relevantPassages({
  wanted,
  passages,
}: {
  wanted: WantedTerms;
  passages: readonly ScoredPassage[];
}): ScoredPassage[] {
  return passages.slice(0, quotedPassages).filter((hit) => evidenceOf(hit, wanted) >= minEvidence);
}
