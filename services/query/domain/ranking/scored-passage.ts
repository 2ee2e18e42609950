import type { IndexedPassage } from '../passages/passage.ts';
import type { PassageTerms } from './bm25-index.ts';

/** Where a passage stands. */
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

/**
 * The n-th largest of these values, 0 where there are fewer; n from 1. Keeps
 * the n largest in a binary heap with the least on top (Williams 1964): most of
 * many values are only compared with it.
 */
export function nthLargest(values: Float64Array, n: number): number {
  if (values.length < n) return 0;
  const heap = values.slice(0, n);
  for (let parent = (n >> 1) - 1; parent >= 0; parent -= 1) siftDown(heap, parent);
  for (let index = n; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    if (value <= (heap[0] ?? 0)) continue;
    heap[0] = value;
    siftDown(heap, 0);
  }
  return heap[0] ?? 0;
}

function siftDown(heap: Float64Array, from: number): void {
  const value = heap[from] ?? 0;
  let parent = from;
  for (;;) {
    let child = 2 * parent + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= value) break;
    heap[parent] = heap[child] ?? 0;
    parent = child;
  }
  heap[parent] = value;
}
