import type { IndexedPassage } from '../passages/passage.ts';

/** Identifies a passage by its item and its number in it. */
interface PassagePlace {
  rowKey: string;
  ordinal: number;
}

/** A passage that may be among the best, with its terms, parted by blanks. */
export interface Candidate extends PassagePlace {
  /** By which the index knows the passage. */
  slot: number;
  head: string;
  text: string;
}

/** The terms by which a passage is compared with a question. */
interface PassageTerms {
  /** The terms of head and text, in order, as the numbers that those asked for have in this search. */
  terms: Uint32Array;
  /** The same as they are, each with a blank before and after it. */
  text: string;
  /** How many of them are of the head. */
  headLength: number;
  /** Its length as a multiple of the average. */
  relativeLength: number;
}

/** A passage, without its text, and how well it fits. */
export interface RankedPassage extends PassagePlace, PassageTerms {
  /** Larger is better; comparable within one search only. */
  score: number;
  /**
   * How near it lies to the question in meaning, 0 for no nearer than chance explains to 1; left out where vectors
   * tell nothing of it.
   */
  meaning?: number;
  /** By which the index knows the passage. */
  slot: number;
}

/** A passage and how well it fits. */
export interface ScoredPassage extends RankedPassage {
  passage: IndexedPassage;
  /** Slot of one before it that speaks about the same and is to be preferred for its time; left out where there is none. */
  newer?: number;
}

/** Order of ranked passages: score, then row key and ordinal, so that equal scores never depend on chance. */
export function byScore(
  left: PassagePlace & { score: number },
  right: PassagePlace & { score: number },
): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.rowKey !== right.rowKey) return left.rowKey < right.rowKey ? -1 : 1;
  return left.ordinal - right.ordinal;
}
