/** Saturation and length normalisation as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
const k1 = 1.2;
const b = 0.75;

/** What `saturated` comes near to for a word that is repeated without end. */
export const saturationLimit = k1 + 1;
/** A word of title or heading counts as if it stood in the passage three times. */
export const headWeight = 3;
/** Weight of the text of a whole item beside its passage. */
export const itemWeight = 0.3;

/** BM25's part of a word that occurs so often in a text whose length is this multiple of the average. */
export function saturated(frequency: number, relativeLength: number): number {
  return (saturationLimit * frequency) / (frequency + k1 * (1 - b + b * relativeLength));
}
