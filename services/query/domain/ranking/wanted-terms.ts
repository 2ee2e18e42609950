import type { FourGrams } from './four-grams.ts';
import type { TermPairs } from './term-pairs.ts';

/** A word that a question asks for, as one view knows it. */
export interface WantedTerm {
  text: string;
  /** Stands for it in `ScoredPassage.terms`; none of these where the view does not have the word. */
  number: number;
  /** How telling it is in this view, above 0. */
  weight: number;
  /** It stands for a word that the view never uses. */
  guessed: boolean;
  /** The term of the question that it is, or stands for. */
  asked: string;
  /** How often the question has it. */
  times: number;
}

/** A question as one view knows it; of use only while the view stays as it is. */
export interface WantedTerms {
  /** The numbers of all its words. */
  numbers: ReadonlySet<number>;
  /** The words that say what is wanted, each once. */
  telling: readonly WantedTerm[];
  /** Its pairs of neighbouring words, stop words included. */
  pairs: TermPairs;
  /** The runs of four characters of its telling words. */
  fourGrams: FourGrams;
}
