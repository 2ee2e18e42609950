/** Visits the features of a text, each a whole number, in any order and with repetitions. */
export type Features = (visit: (feature: number) => void) => void;

/**
 * For each candidate, what the wanted features that it has weigh together. A
 * feature weighs its inverse document frequency among the candidates, so the
 * result depends on nothing but them.
 */
export function sharedWeights(wanted: ReadonlySet<number>, candidates: readonly Features[]): number[] {
  const frequencies = new Map<number, number>();
  const shared = candidates.map((forEachFeature) => {
    const found = new Set<number>();
    forEachFeature((feature) => {
      if (wanted.has(feature)) found.add(feature);
    });
    for (const feature of found) frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1);
    return found;
  });
  const weights = new Map<number, number>();
  for (const [feature, frequency] of frequencies)
    weights.set(feature, Math.log(1 + (candidates.length - frequency + 0.5) / (frequency + 0.5)));
  return shared.map((found) => {
    let sum = 0;
    // In the order of what is wanted, so that sums of the same features are the same to the last bit.
    for (const feature of wanted) if (found.has(feature)) sum += weights.get(feature) ?? 0;
    return sum;
  });
}
