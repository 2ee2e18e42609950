import type { IndexedPassage } from '../passages/passage.ts';

/** A passage and how well it fits. */
export interface ScoredPassage {
  passage: IndexedPassage;
  /** Larger is better; comparable within one search only. */
  score: number;
  /** By which the index knows the passage. */
  slot: number;
  /** The terms of head and text, in order, as numbers of this index. */
  terms: Uint32Array;
  /** How many of them are of the head. */
  headLength: number;
  /** Its length as a multiple of the average. */
  relativeLength: number;
}

/** Order of ranked passages: score, then row key and ordinal, so that equal scores never depend on chance. */
export function byScore(left: ScoredPassage, right: ScoredPassage): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.passage.rowKey !== right.passage.rowKey)
    return left.passage.rowKey < right.passage.rowKey ? -1 : 1;
  return left.passage.ordinal - right.passage.ordinal;
}
