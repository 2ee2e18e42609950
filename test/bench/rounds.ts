/** Figures of two contestants, measured in turn. */
export interface Rounds {
  ours: number;
  theirs: number;
  /** `ours` divided by `theirs`, round by round; the median is not moved by a round that was disturbed. */
  ratio: number;
}

/**
 * Measures both contestants in turn, changing who goes first, so that what
 * else the machine does meets both; answers medians.
 */
export async function interleavedRounds(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Rounds> {
  const results: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) results.push({ ours: await ours(), theirs: await theirs() });
    else results.push(await theirs().then(async (first) => ({ theirs: first, ours: await ours() })));
  }
  return {
    ours: median(results.map((result) => result.ours)),
    theirs: median(results.map((result) => result.theirs)),
    ratio: median(results.map((result) => result.ours / result.theirs)),
  };
}

/** The middle of values, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
