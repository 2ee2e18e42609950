import { byScore, type RankedPassage } from '../ranking/scored-passage.ts';
import type { Nearest } from './nearest.ts';

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
