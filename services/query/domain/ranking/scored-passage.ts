import type { IndexedPassage } from '../passages/passage.ts';
import type { PassageTerms } from './bm25-index.ts';

/** Identifies a passage by its item and its number in it. */
export interface PassagePlace {
  rowKey: string;
  ordinal: number;
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
