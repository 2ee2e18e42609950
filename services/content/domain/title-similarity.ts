/** A title as it is compared: one case, one form of each letter, words only. */
export function normalisedTitle(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A title ready to be compared with many others. */
export interface TitleProfile {
  /** How often each pair of neighbouring characters occurs. */
  pairs: Map<string, number>;
  size: number;
}

/** Counts the character pairs of a normalised title. */
export function titleProfile(normalised: string): TitleProfile {
  const text = ` ${normalised} `;
  const pairs = new Map<string, number>();
  for (let index = 0; index + 1 < text.length; index += 1) {
    const pair = text.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { pairs, size: text.length - 1 };
}

/**
 * How alike two titles are, 0 to 1: the Sørensen-Dice coefficient of their
 * character pairs, which forgives moved words and small corrections alike.
 */
export function titleSimilarity(a: TitleProfile, b: TitleProfile): number {
  let shared = 0;
  for (const [pair, count] of a.pairs) shared += Math.min(count, b.pairs.get(pair) ?? 0);
  return (2 * shared) / (a.size + b.size);
}
