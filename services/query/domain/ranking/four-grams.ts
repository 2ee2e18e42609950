/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** How many different runs they have. */
  count: number;
  /** Visits the runs, each by its place from 0 to before `count`, that the words of these numbers have. */
  forEachIn(numbers: ArrayLike<number>, visit: (place: number) => void): void;
}

const runLength = 4;

/**
 * The runs of four characters of these words, a blank counting as a character
 * before and after each. A word that a question is compared with is looked into
 * once: `textOf` tells the word of a number.
 */
export function fourGramsOf(words: readonly string[], textOf: (number: number) => string): FourGrams {
  const placeOf = new Map([...new Set(words.flatMap(runsOf))].map((run, place) => [run, place]));
  /** By number of a word: the places of its runs. */
  const known = new Map<number, readonly number[]>();
  const placesOf = (number: number) => runsOf(textOf(number)).flatMap((run) => placeOf.get(run) ?? []);
  return {
    count: placeOf.size,
    forEachIn(numbers, visit) {
      if (placeOf.size === 0) return;
      for (let index = 0; index < numbers.length; index += 1) {
        const number = numbers[index] ?? 0;
        for (const place of known.getOrInsertComputed(number, placesOf)) visit(place);
      }
    },
  };
}

function runsOf(word: string): string[] {
  const padded = ` ${word} `;
  const runs: string[] = [];
  for (let start = 0; start + runLength <= padded.length; start += 1)
    runs.push(padded.slice(start, start + runLength));
  return runs;
}
