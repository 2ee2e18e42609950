import type { Language } from '../text/languages.ts';
import type { FourGrams } from './four-grams.ts';
import type { TermPairs } from './term-sequences.ts';

/** A term of a view that may stand for a word of a question. */
export interface TermInView {
  text: string;
  /** Stands for it in `ScoredPassage.terms`; none of these where the view does not have the term. */
  number: number;
  /** How far a passage that has it has what was asked for, above 0 to 1: 1 for the asker's own word. */
  trust: number;
}

/** A word that a question asks for, as one view knows it. */
export interface WantedTerm extends TermInView {
  /** How telling it is in this view, above 0. */
  weight: number;
  /** How rare it is in general texts of the question's language, above 0 to 1. */
  rarity: number;
  /** The term of the question that it is, or stands for. */
  asked: string;
  /** Other terms that meet it as well, each as far as it is trusted: the same word in other languages, other words for the same. */
  alternatives: readonly TermInView[];
}

/** A question as one view knows it; of use only while the view stays as it is. */
export interface WantedTerms {
  /** Language of the question. */
  language: Language;
  /** The numbers of all its words. */
  numbers: ReadonlySet<number>;
  /** The words that say what is wanted, each once. */
  telling: readonly WantedTerm[];
  /** Its pairs of neighbouring words, stop words included. */
  pairs: TermPairs;
  /** The runs of four characters of its telling words. */
  fourGrams: FourGrams;
}

/**
 * How far terms have a wanted word, 0 to 1. `worth` says what a term's number is worth where it is present, 0 where
 * it is not; the best of the word and its alternatives counts, each times its trust.
 */
export function metBy(wanted: WantedTerm, worth: (number: number) => number): number {
  let best = wanted.trust * worth(wanted.number);
  for (const { number, trust } of wanted.alternatives) best = Math.max(best, trust * worth(number));
  return best;
}

/** How far these terms have a wanted word, 0 to 1, however often they have it. */
export function partMet(wanted: WantedTerm, terms: ReadonlySet<number>): number {
  return metBy(wanted, (number) => (terms.has(number) ? 1 : 0));
}

/** Whether one of these terms is a wanted word, or may stand for it. */
export function isMet(wanted: WantedTerm, terms: ReadonlySet<number>): boolean {
  return partMet(wanted, terms) > 0;
}
