/** Features of a text, each a whole number, in any order and with repetitions. */
export type Features = (visit: (feature: number) => void) => void;

/**
 * For each candidate, what the wanted features that it has weigh together. A
 * feature weighs its inverse document frequency among the candidates, so the
 * result depends on nothing but them.
 */
export function sharedWeights(wanted: ReadonlySet<number>, candidates: readonly Features[]): number[] {
  const frequencies = new Map<number, number>();
  const mayBeWanted = bitmapOf(wanted);
  const shared = candidates.map((forEachFeature) => {
    const found = new Set<number>();
    forEachFeature((feature) => {
      if (mayBeWanted[hashOf(feature)] === 1 && wanted.has(feature)) found.add(feature);
    });
    for (const feature of found) frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1);
    return found;
  });
  return shared.map((features) => {
    let weight = 0;
    // In the order of what is wanted, so that sums of the same features are the same to the last bit.
    for (const feature of wanted) {
      if (!features.has(feature)) continue;
      const frequency = frequencies.get(feature) ?? 0;
      weight += Math.log(1 + (candidates.length - frequency + 0.5) / (frequency + 0.5));
    }
    return weight;
  });
}

const bitmapBits = 16;

/** Says of most features at once that they are not wanted; asking the set alone takes several times as long. */
function bitmapOf(wanted: ReadonlySet<number>): Uint8Array {
  const bitmap = new Uint8Array(2 ** bitmapBits);
  for (const feature of wanted) bitmap[hashOf(feature)] = 1;
  return bitmap;
}

/** Multiplicative hashing (Knuth, volume 3, 6.4): features that end alike must not fall together. */
function hashOf(feature: number): number {
  return Math.imul(feature, 0x9e3779b1) >>> (32 - bitmapBits);
}
