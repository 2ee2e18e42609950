import { byScore, type RankedPassage } from './scored-passage.ts';

/** What the largest number of a vector becomes. */
const largestInteger = 127;

/** A vector as 8-bit integers: each, times the scale, is the number it stands for to within half a scale. */
interface QuantisedVector {
  numbers: Int8Array;
  /** Above 0. */
  scale: number;
}

/** Rounds a vector, which must not be 0, to 8-bit integers, symmetrically and each vector by its own largest number. */
export function quantise(vector: Float32Array): QuantisedVector {
  let largest = 0;
  for (let index = 0; index < vector.length; index += 1)
    largest = Math.max(largest, Math.abs(vector[index] as number));
  const scale = largest / largestInteger;
  const numbers = new Int8Array(vector.length);
  for (let index = 0; index < vector.length; index += 1)
    numbers[index] = Math.round((vector[index] as number) / scale);
  return { numbers, scale };
}

/** The sum of products of two vectors of the same length. Sums of 8,192 products stay below 2^31, so integers are exact. */
export function dotProduct(left: Int8Array, right: Int8Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1)
    sum = (sum + Math.imul(left[index] as number, right[index] as number)) | 0;
  return sum;
}

/** How the vectors of a view lie to one vector. */
export interface Nearest {
  /** The nearest, in no order. */
  slots: readonly number[];
  /**
   * How near a slot is, on the view's own scale: 1 for the nearest of all, 0 for
   * the average one and those farther away. Undefined for a slot without a vector.
   */
  nearness(slot: number): number | undefined;
  /**
   * How far a slot stands out, 0 to 1: 0 for no farther above the average than the best of so many random ones is
   * expected to be, 1 for twice that. The same for any model, whatever its similarities mean. Undefined for a slot without a vector.
   */
  prominence(slot: number): number | undefined;
}

/**
 * Says how vectors lie to one, from the similarity of each: the nearest are at most `limit`, and those as near as the last
 * of them. Undefined where that tells nothing, because all are equally near.
 */
export function nearestOf(similarities: ReadonlyMap<number, number>, limit: number): Nearest | undefined {
  const sorted = Float64Array.from(similarities.values()).sort();
  const mean = sorted.reduce((sum, similarity) => sum + similarity, 0) / sorted.length;
  const range = (sorted.at(-1) ?? mean) - mean;
  if (!(range > 0)) return undefined;
  const variance = sorted.reduce((sum, similarity) => sum + (similarity - mean) ** 2, 0) / sorted.length;
  // The largest of n values from a normal distribution lies about √(2 ln n) deviations above their mean.
  const byChance = Math.sqrt(2 * Math.log(sorted.length) * variance);
  const least = sorted.at(-limit) ?? Number.NEGATIVE_INFINITY;
  const scaled = (scale: (similarity: number) => number) => (slot: number) => {
    const similarity = similarities.get(slot);
    return similarity === undefined ? undefined : Math.max(0, scale(similarity - mean));
  };
  return {
    slots: [...similarities].filter(([, similarity]) => similarity >= least).map(([slot]) => slot),
    nearness: scaled((above) => above / range),
    prominence: scaled((above) => Math.min(1, above / byChance - 1)),
  };
}

/** Words and vectors count the same where every passage has a vector. */
const fullVectorWeight = 0.5;

/** The passages of one view that are near a question in meaning. */
export interface Neighbourhood extends Nearest {
  /** Share of the view's passages that have a vector, above 0 to 1. */
  coverage: number;
}

/**
 * Joins two rankings of a view, that by words and that by vectors, by a convex
 * combination of their scores (Bruch, Gai and Ingber, "An Analysis of Fusion
 * Functions for Hybrid Retrieval", 2023), each first brought to a scale on which
 * 1 is the best passage and 0 what a passage picked at random has: for words no
 * score at all, for vectors the average similarity. docs/adr tells why not by ranks.
 *
 * A passage without a vector counts by its words alone, which neither punishes
 * nor favours it; and vectors count less the fewer passages have one.
 * `passageAt` gives the passages that only the vectors found, which are those
 * nearer than the average. Scores of the result are on the scale of the words' best.
 */
export function fuse(
  byWords: readonly RankedPassage[],
  near: Neighbourhood,
  passageAt: (slot: number) => RankedPassage | undefined,
): RankedPassage[] {
  const best = byWords[0]?.score ?? 1;
  const vectorWeight = fullVectorWeight * near.coverage;
  const known = new Set(byWords.map(({ slot }) => slot));
  const isFoundByVectors = (slot: number) => !known.has(slot) && (near.nearness(slot) ?? 0) > 0;
  return [...byWords, ...near.slots.filter(isFoundByVectors).flatMap((slot) => passageAt(slot) ?? [])]
    .map((hit) => {
      const nearness = near.nearness(hit.slot);
      const byVectors = nearness === undefined ? hit.score : nearness * best;
      const meaning = near.prominence(hit.slot);
      const score = (1 - vectorWeight) * hit.score + vectorWeight * byVectors;
      return { ...hit, score, ...(meaning !== undefined && { meaning }) };
    })
    .sort(byScore);
}
