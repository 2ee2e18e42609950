import type { VocabularyListener } from './term-dictionary.ts';

/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** How many different runs they have. */
  count: number;
  /** Visits the runs, each by its place from 0 to before `count`, that the words of these numbers have, with repetitions. */
  forEachIn(numbers: ArrayLike<number>, visit: (place: number) => void): void;
}

/** The runs of four characters of all words in use, a blank counting as a character before and after each. */
export interface FourGramIndex extends VocabularyListener {
  /** The runs of these words; of use only while the words in use stay the same. */
  of(words: readonly string[]): FourGrams;
}

/** Most runs are not wanted: a table of this size says so faster than a map does. */
const tableBits = 14;

/**
 * Makes the index of no words. The runs of a word stand one after the other in
 * one array, so that to look into the thousands of words that a question is
 * compared with takes no look at their texts.
 */
export function createFourGramIndex(): FourGramIndex {
  let runs = new Uint32Array(1_024);
  let used = 0;
  /** Twice the number of a word: where its runs begin; the place after that: where they end. */
  let bounds = new Uint32Array(1_024);
  /** By how many runs they have: where words began that are used no more. */
  const free: number[][] = [];

  return {
    add(word, number) {
      const found = runsOf(word);
      const start = free[found.length]?.pop() ?? used;
      const end = start + found.length;
      used = Math.max(used, end);
      runs = withRoomFor(used, runs);
      bounds = withRoomFor(2 * number + 2, bounds);
      runs.set(found, start);
      bounds[2 * number] = start;
      bounds[2 * number + 1] = end;
    },
    remove(_word, number) {
      const start = bounds[2 * number] ?? 0;
      const count = (bounds[2 * number + 1] ?? 0) - start;
      const others = free[count] ?? [];
      if (count > 0) others.push(start);
      free[count] = others;
      bounds[2 * number + 1] = start;
    },
    of(words) {
      const places = new Map<number, number>();
      for (const run of words.flatMap(runsOf)) if (!places.has(run)) places.set(run, places.size);
      const mayBeWanted = new Uint8Array(2 ** tableBits);
      for (const run of places.keys()) mayBeWanted[placeInTable(run)] = 1;
      // Constants, which the loop below need not look up anew for every run.
      const [runsNow, boundsNow] = [runs, bounds];
      return {
        count: places.size,
        forEachIn(numbers, visit) {
          for (let index = 0; index < numbers.length; index += 1) {
            const number = numbers[index] ?? 0;
            const end = boundsNow[2 * number + 1] ?? 0;
            for (let at = boundsNow[2 * number] ?? 0; at < end; at += 1) {
              const run = runsNow[at] ?? 0;
              if (mayBeWanted[placeInTable(run)] === 0) continue;
              const place = places.get(run);
              if (place !== undefined) visit(place);
            }
          }
        },
      };
    },
  };
}

/** The values, or a longer copy of them where they are fewer than wanted. */
function withRoomFor(count: number, values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  if (count <= values.length) return values;
  const more = new Uint32Array(Math.max(count, 2 * values.length));
  more.set(values);
  return more;
}

const blank = 32;

/** Each run as 32 bits, 8 of each character: exact for what most words are made of, and close enough for others. */
function runsOf(word: string): number[] {
  const found: number[] = [];
  let run = blank;
  for (let index = 0; index <= word.length; index += 1) {
    run = (run << 8) ^ (index < word.length ? word.charCodeAt(index) : blank);
    if (index >= 2) found.push(run >>> 0);
  }
  return found;
}

/** Its place in the table, from all its bits (multiplicative hashing by the golden ratio; Knuth, TAOCP 6.4). */
function placeInTable(run: number): number {
  return Math.imul(run, 0x9e3779b1) >>> (32 - tableBits);
}
