/** A title as it is compared: one case, one form of each letter, words only. */
export function normalisedTitle(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A title ready to be compared with many others: each pair of neighbouring characters as a number, lowest first. */
export type TitleProfile = Uint32Array;

/** Takes the character pairs of a normalised title. */
export function titleProfile(normalised: string): TitleProfile {
  const text = ` ${normalised} `;
  const pairs = new Uint32Array(text.length - 1);
  for (let index = 0; index < pairs.length; index += 1) {
    pairs[index] = text.charCodeAt(index) * 0x10000 + text.charCodeAt(index + 1);
  }
  return pairs.sort();
}

/**
 * How alike two titles are, 0 to 1: the Sørensen-Dice coefficient of their
 * character pairs, which forgives moved words and small corrections alike.
 */
export function titleSimilarity(a: TitleProfile, b: TitleProfile): number {
  let shared = 0;
  for (let inA = 0, inB = 0; inA < a.length && inB < b.length; ) {
    const difference = (a[inA] as number) - (b[inB] as number);
    if (difference === 0) shared += 1;
    if (difference <= 0) inA += 1;
    if (difference >= 0) inB += 1;
  }
  return (2 * shared) / (a.length + b.length);
}
