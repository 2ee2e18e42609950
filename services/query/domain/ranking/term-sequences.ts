/** The pairs of neighbours among the terms of a question, each with its place among them, from 0. */
export type TermPairs = ReadonlyMap<number, number>;

/** Numbers of terms stay below this one, so that a pair fits a double exactly. */
const pairBase = 2 ** 26;
/** Stands for any term that no question is about. */
export const otherTerm = pairBase - 1;

/** The pairs of neighbours in this sequence of numbers of terms. */
export function pairsOf(numbers: ArrayLike<number>): TermPairs {
  const places = new Map<number, number>();
  for (let index = 1; index < numbers.length; index += 1) {
    const pair = pairAt(numbers, index);
    if (!places.has(pair)) places.set(pair, places.size);
  }
  return places;
}

/** Visits the places of the wanted pairs that a sequence has, with repetitions. */
export function forEachPair(
  wanted: TermPairs,
  numbers: ArrayLike<number>,
  visit: (place: number) => void,
): void {
  for (let index = 1; index < numbers.length; index += 1) {
    const place = wanted.get(pairAt(numbers, index));
    if (place !== undefined) visit(place);
  }
}

/** Share of the wanted pairs that a sequence has, 0 to 1. */
export function pairShare(wanted: TermPairs, numbers: ArrayLike<number>): number {
  const found = new Set<number>();
  forEachPair(wanted, numbers, (place) => found.add(place));
  return wanted.size === 0 ? 0 : found.size / wanted.size;
}

function pairAt(numbers: ArrayLike<number>, index: number): number {
  return (numbers[index - 1] ?? 0) * pairBase + (numbers[index] ?? 0);
}
