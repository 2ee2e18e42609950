import type { Vocabulary } from '../words/vocabulary.ts';

/** Shorter words have too many neighbours to guess by. */
const minLength = 4;
/** From this length on two slips are forgiven, below it one. */
const minLengthForTwo = 8;
/** Words compared for one unknown word, a few milliseconds; a vocabulary with more look-alikes is not guessed in. */
const maxComparisons = 20_000;

/**
 * The nearest word of a view by slips (a letter missing, added, wrong, or two
 * swapped), one for words of 4 to 7 letters, two from 8 on; the first letter is
 * taken to be right. Among equals the more frequent, then the first in code unit
 * order. Undefined where there is none.
 */
export function nearestWord(word: string, view: Vocabulary): string | undefined {
  if (word.length < minLength || /\P{L}/u.test(word)) return undefined;
  const slips = word.length < minLengthForTwo ? 1 : 2;
  const [first = ''] = word;
  const lengths = { least: word.length - slips, most: word.length + slips };
  const candidates = view.wordsBeginningWith(first, { ...lengths, limit: maxComparisons + 1 });
  if (candidates.length > maxComparisons) return undefined;
  const letters = lettersOf(word);
  let best: Guess | undefined;
  for (const term of candidates) {
    // A slip adds, takes away or exchanges one letter: most words differ in more, which costs little to see.
    if (bitsOf(letters ^ lettersOf(term)) > 2 * slips) continue;
    const distance = slipsBetween(word, term, slips);
    if (distance > slips) continue;
    const found = { term, distance, frequency: view.frequencyOf(term) };
    if (best === undefined || isBetter(found, best)) best = found;
  }
  return best?.term;
}

interface Guess {
  term: string;
  distance: number;
  frequency: number;
}

function isBetter(left: Guess, right: Guess): boolean {
  if (left.distance !== right.distance) return left.distance < right.distance;
  if (left.frequency !== right.frequency) return left.frequency > right.frequency;
  return left.term < right.term;
}

/** The letters that a word has, one bit each; two letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index += 1) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

function bitsOf(number: number): number {
  let bits = 0;
  for (let left = number; left !== 0; left &= left - 1) bits += 1;
  return bits;
}

/**
 * Optimal string alignment distance (Damerau 1964, without edits between
 * swapped letters); gives up with `limit + 1` as soon as it must be larger.
 */
function slipsBetween(left: string, right: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let leastOfRow = row;
    // Cells further from the diagonal are above the limit already.
    const lastColumn = Math.min(right.length, row + limit);
    for (let column = Math.max(1, row - limit); column <= lastColumn; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        least = Math.min(least, at(beforeLast, column - 2) + 1);
      }
      current[column] = least;
      leastOfRow = Math.min(leastOfRow, least);
    }
    if (leastOfRow > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
