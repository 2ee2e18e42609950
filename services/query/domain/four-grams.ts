/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** Each stands for one of the runs. */
  wanted: ReadonlySet<number>;
  /** Visits the wanted runs that the words of these numbers have, with repetitions. */
  forEachIn(numbers: ArrayLike<number>, visit: (run: number) => void): void;
}

const none: readonly number[] = [];

/**
 * Makes the runs of these words, a blank counting as a character before and
 * after each. A word of a passage is looked into once, however often it
 * occurs: `termOf` gives it by its number.
 */
export function createFourGrams(words: readonly string[], termOf: (number: number) => string): FourGrams {
  const wanted = new Set<number>();
  for (const word of words) forEachRun(word, (run) => wanted.add(run));
  const known = new Map<number, readonly number[]>();

  function wantedIn(number: number): readonly number[] {
    let found = none;
    forEachRun(termOf(number), (run) => {
      if (wanted.has(run)) found = [...found, run];
    });
    known.set(number, found);
    return found;
  }

  return {
    wanted,
    forEachIn(numbers, visit) {
      for (let index = 0; index < numbers.length; index += 1) {
        const number = numbers[index] ?? 0;
        const runs = known.get(number) ?? wantedIn(number);
        for (let place = 0; place < runs.length; place += 1) visit(runs[place] ?? 0);
      }
    },
  };
}

const blank = 32;

/** Each run as 32 bits, 8 of each character: exact for what most words are made of, and close enough for others. */
function forEachRun(word: string, visit: (run: number) => void): void {
  let run = blank;
  for (let index = 0; index <= word.length; index += 1) {
    run = (run << 8) ^ (index < word.length ? word.charCodeAt(index) : blank);
    if (index >= 2) visit(run);
  }
}
