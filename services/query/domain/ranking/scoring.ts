/** Saturation and length normalisation as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
const k1 = 1.2;
const b = 0.75;

/** What `saturated` comes near to for a word that is repeated without end. */
export const saturationLimit = k1 + 1;
/** A word of title or heading counts as if it stood in the passage three times. */
export const headWeight = 3;

/** BM25's part of a word that occurs so often in a text whose length is this multiple of the average. */
export function saturated(frequency: number, relativeLength: number): number {
  return (saturationLimit * frequency) / (frequency + k1 * (1 - b + b * relativeLength));
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
