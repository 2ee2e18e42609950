/** Visits the features of a text, each a number from 0 to before the count of all, in any order and with repetitions. */
export type Features = (visit: (feature: number) => void) => void;

/**
 * For each candidate, what its features weigh together. A feature weighs its
 * inverse document frequency among the candidates, so the result depends on
 * nothing but them.
 */
export function sharedWeights(featureCount: number, candidates: readonly Features[]): number[] {
  /** Candidate after candidate, 1 for what it has. */
  const has = new Uint8Array(featureCount * candidates.length);
  const frequencies = new Uint32Array(featureCount);
  for (const [index, forEachFeature] of candidates.entries()) {
    const row = has.subarray(index * featureCount, (index + 1) * featureCount);
    forEachFeature((feature) => {
      if (row[feature] === 0) frequencies[feature] = (frequencies[feature] ?? 0) + 1;
      row[feature] = 1;
    });
  }
  const weights = Float64Array.from(frequencies, (frequency) =>
    Math.log(1 + (candidates.length - frequency + 0.5) / (frequency + 0.5)),
  );
  return candidates.map((_, index) => {
    let sum = 0;
    for (let feature = 0; feature < featureCount; feature += 1)
      if (has[index * featureCount + feature] === 1) sum += weights[feature] ?? 0;
    return sum;
  });
}
