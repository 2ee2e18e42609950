/** How good a ranking is for one question; each from 0 to 1. */
export interface RankingMetrics {
  ndcgAt10: number;
  recallAt10: number;
  recallAt100: number;
  mrrAt10: number;
}

/**
 * Measures a ranking of document ids, best first, against the relevant ones.
 *
 * - nDCG@10: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002), with gains as
 *   judged and a discount of log2(rank + 1), as trec_eval computes it.
 * - recall@k: the share of the relevant documents among the first k.
 * - MRR@10: 1 / rank of the first relevant document, 0 where it is not among the first ten (Voorhees, TREC-8, 1999).
 */
export function rankingMetrics(
  ranking: readonly string[],
  relevant: ReadonlyMap<string, number>,
): RankingMetrics {
  const gains = ranking.map((id) => relevant.get(id) ?? 0);
  const idealGains = [...relevant.values()].sort((left, right) => right - left);
  const first = gains.findIndex((gain) => gain > 0);
  return {
    ndcgAt10: discountedGain(gains, 10) / discountedGain(idealGains, 10),
    recallAt10: foundAmong(gains, 10) / relevant.size,
    recallAt100: foundAmong(gains, 100) / relevant.size,
    mrrAt10: first >= 0 && first < 10 ? 1 / (first + 1) : 0,
  };
}

function discountedGain(gains: readonly number[], depth: number): number {
  return gains.slice(0, depth).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function foundAmong(gains: readonly number[], depth: number): number {
  return gains.slice(0, depth).filter((gain) => gain > 0).length;
}
