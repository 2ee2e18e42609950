import { maxWordLength, type WordTable } from '../storage/word-table.ts';

/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** How many different runs they have. */
  count: number;
  /** Visits the runs, each by its place from 0 to before `count`, that the words of these numbers have. */
  forEachIn(numbers: ArrayLike<number>, visit: (place: number) => void): void;
}

/** A bitmap excludes most runs at once; asking a map alone takes several times as long. */
const bitmapBits = 16;

const none: readonly number[] = [];
/** The word at hand, and a blank. */
const units = new Uint16Array(maxWordLength + 1);

/**
 * The runs of four characters of these words, a blank counting as a character
 * before and after each. A word that a question is compared with is looked into
 * once; of use only while the words of the table stay the same.
 */
export function fourGramsOf(words: readonly string[], table: WordTable): FourGrams {
  const runs = [...new Set(words.flatMap(runsOf))].sort((left, right) => left - right);
  const placeOf = new Map(runs.map((run, place) => [run, place]));
  const mayBeWanted = new Uint8Array(2 ** bitmapBits);
  for (const run of runs) mayBeWanted[bitOf(run)] = 1;
  /** By number of a word: the places of its runs. */
  const known = new Map<number, readonly number[]>();

  function placesOf(number: number): readonly number[] {
    let places: number[] | undefined;
    const length = number < table.end() ? table.copyUnits(number, units) : 0;
    if (length === 0) return none;
    units[length] = blank;
    let run = blank;
    for (let at = 0; at <= length; at += 1) {
      run = (run << 8) ^ (units[at] as number);
      if (at < 2 || mayBeWanted[bitOf(run)] === 0) continue;
      const place = placeOf.get(run);
      if (place === undefined) continue;
      places ??= [];
      places.push(place);
    }
    return places ?? none;
  }

  return {
    count: runs.length,
    forEachIn(numbers, visit) {
      if (runs.length === 0) return;
      for (let index = 0; index < numbers.length; index += 1) {
        const number = numbers[index] ?? 0;
        let places = known.get(number);
        if (places === undefined) {
          places = placesOf(number);
          known.set(number, places);
        }
        for (const place of places) visit(place);
      }
    },
  };
}

const blank = 32;

/** Each run as 32 bits, 8 of each character: exact for what most words are made of, and close enough for others. */
function runsOf(word: string): number[] {
  const found: number[] = [];
  let run = blank;
  for (let index = 0; index <= word.length; index += 1) {
    run = (run << 8) ^ (index < word.length ? word.charCodeAt(index) : blank);
    if (index >= 2) found.push(run);
  }
  return found;
}

function bitOf(run: number): number {
  return (run ^ (run >>> bitmapBits)) & (2 ** bitmapBits - 1);
}
