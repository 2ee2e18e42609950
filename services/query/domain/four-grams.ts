/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** Each stands for one of the runs. */
  wanted: ReadonlySet<number>;
  /** Visits the wanted runs that the words of these numbers have, with repetitions. */
  forEachIn(numbers: ArrayLike<number>, visit: (run: number) => void): void;
}

const none: readonly number[] = [];
/** Most words have no wanted run, and most runs are not wanted: tables of this size say so faster than sets do. */
const tableBits = 14;
const tableMask = 2 ** tableBits - 1;

/**
 * Makes the runs of these words, a blank counting as a character before and
 * after each. A word of a passage is looked into once, however often it
 * occurs: `termOf` gives it by its number.
 */
export function createFourGrams(words: readonly string[], termOf: (number: number) => string): FourGrams {
  const wanted = new Set<number>();
  for (const word of words) forEachRun(word, (run) => wanted.add(run));
  const mayBeWanted = new Uint8Array(tableMask + 1);
  for (const run of wanted) mayBeWanted[placeOf(run)] = 1;
  const known = new Map<number, readonly number[]>();
  /** Numbers of words without a wanted run, each plus 1; a word may put another one out, which is looked into again. */
  const withoutAny = new Uint32Array(tableMask + 1);

  function wantedIn(number: number): readonly number[] {
    let found = none;
    forEachRun(termOf(number), (run) => {
      if (mayBeWanted[placeOf(run)] === 1 && wanted.has(run)) found = [...found, run];
    });
    if (found === none) withoutAny[number & tableMask] = number + 1;
    else known.set(number, found);
    return found;
  }

  return {
    wanted,
    forEachIn(numbers, visit) {
      for (let index = 0; index < numbers.length; index += 1) {
        const number = numbers[index] ?? 0;
        if (withoutAny[number & tableMask] === number + 1) continue;
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

/** Its place in a table, from all its bits (multiplicative hashing by the golden ratio; Knuth, TAOCP 6.4). */
function placeOf(run: number): number {
  return Math.imul(run, 0x9e3779b1) >>> (32 - tableBits);
}
