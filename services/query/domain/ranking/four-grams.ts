import { createLinkedEntries } from './linked-entries.ts';
import type { VocabularyListener } from './term-dictionary.ts';

/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** How many different runs they have. */
  count: number;
  /** Visits the runs, each by its place from 0 to before `count`, that the words of these numbers have. */
  forEachIn(numbers: ArrayLike<number>, visit: (place: number) => void): void;
}

/** The runs of four characters of all words in use, a blank counting as a character before and after each. */
export interface FourGramIndex extends VocabularyListener {
  /** The runs of these words; of use only while the words in use stay the same. */
  of(words: readonly string[]): FourGrams;
}

/** Words gone through for one question: some tens of milliseconds at worst, and for most questions a hundredth of that. */
const maxWordsVisited = 200_000;

/**
 * Makes the index of no words: for each run the words that have it, so that a
 * question finds out once which words have its runs, and need not look into
 * the thousands of words that it is compared with.
 *
 * Where the words asked for have runs that 200,000 words share, those that most
 * words have are left out, which tell least.
 */
export function createFourGramIndex(): FourGramIndex {
  const entries = createLinkedEntries();
  /** Numbers of words are below this. */
  let numbersEnd = 0;

  function wantedRuns(words: readonly string[]): number[] {
    const runs = [...new Set(words.flatMap(runsOf))].sort(
      (left, right) => entries.sizeOf(left) - entries.sizeOf(right) || left - right,
    );
    let visited = 0;
    return runs.filter((run) => {
      visited += entries.sizeOf(run);
      return visited <= maxWordsVisited;
    });
  }

  return {
    add(word, number) {
      numbersEnd = Math.max(numbersEnd, number + 1);
      entries.add(number, [...new Set(runsOf(word))]);
    },
    remove: (_word, number) => entries.remove(number),
    of(words) {
      const runs = wantedRuns(words);
      /** By word: the number of its last link, 0 for none; by link: a place, and the link before it. */
      const lastLinks = new Uint32Array(numbersEnd);
      const places = [0];
      const linksBefore = [0];
      for (const [place, run] of runs.entries()) {
        entries.forEachOf(run, (number) => {
          linksBefore.push(lastLinks[number] ?? 0);
          lastLinks[number] = places.push(place) - 1;
        });
      }
      return {
        count: runs.length,
        forEachIn(numbers, visit) {
          for (let index = 0; index < numbers.length; index += 1) {
            let link = lastLinks[numbers[index] ?? 0] ?? 0;
            for (; link !== 0; link = linksBefore[link] ?? 0) visit(places[link] ?? 0);
          }
        },
      };
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
