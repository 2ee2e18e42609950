/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** Each stands for one of the runs. */
  wanted: ReadonlySet<number>;
  /** Visits the wanted runs that the words of these numbers have, with repetitions. */
  forEachIn(numbers: ArrayLike<number>, visit: (run: number) => void): void;
}

/**
 * Makes the runs of these words, a blank counting as a character before and
 * after each. A word of a passage is looked into once, however often it
 * occurs: `termOf` gives it by its number.
 */
export function createFourGrams(words: readonly string[], termOf: (number: number) => string): FourGrams {
  const runs = new Map<string, number>();
  for (const word of words) for (const run of runsOf(word)) if (!runs.has(run)) runs.set(run, runs.size);
  const known = new Map<number, readonly number[]>();

  function wantedIn(number: number): readonly number[] {
    const found = known.get(number);
    if (found !== undefined) return found;
    const wanted = runsOf(termOf(number)).flatMap((run) => runs.get(run) ?? []);
    known.set(number, wanted);
    return wanted;
  }

  return {
    wanted: new Set(runs.values()),
    forEachIn(numbers, visit) {
      for (let index = 0; index < numbers.length; index += 1) {
        for (const run of wantedIn(numbers[index] ?? 0)) visit(run);
      }
    },
  };
}

function runsOf(word: string): string[] {
  const padded = ` ${word} `;
  const runs: string[] = [];
  for (let start = 0; start + 4 <= padded.length; start += 1) runs.push(padded.slice(start, start + 4));
  return runs;
}
