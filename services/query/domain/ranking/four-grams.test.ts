import { expect, test } from 'vitest';
import { type FourGrams, fourGramsOf } from './wanted-terms.ts';

/** How many of the runs of `words` those of `passage` have. */
function shared(words: readonly string[], passage = ['authentic', 'cat', 'a', 'кошка']): number {
  return placesIn(fourGramsOf(words, textIn(passage)), [...passage.keys()]).size;
}

const textIn = (words: readonly string[]) => (number: number) => words[number] ?? '';

function placesIn(fourGrams: FourGrams, numbers: readonly number[]): Set<number> {
  const found = new Set<number>();
  fourGrams.forEachIn(numbers, (place) => found.add(place));
  expect([...found].every((place) => place < fourGrams.count)).toBe(true);
  return found;
}

test('words share the runs that they have in common, their beginnings and ends among them', () => {
  expect(shared(['authentic'])).toBe(8);
  // " aut", "auth", "uthe", "then", "hent"; its end is another.
  expect(shared(['authentor'])).toBe(5);
  expect(shared(['cat'])).toBe(2);
  expect(shared(['catalogue'])).toBe(1);
  expect(shared(['кошкам'])).toBe(3);
});

test('words without four characters, blanks included, have none', () => {
  expect(shared(['a', ''])).toBe(0);
  expect(fourGramsOf(['a', ''], textIn([])).count).toBe(0);
});

test('only the words asked for are looked into, and numbers of no word have no runs', () => {
  const textOf = textIn(['authentic', 'cat']);
  expect(placesIn(fourGramsOf(['authentic'], textOf), [1]).size).toBe(0);
  expect(placesIn(fourGramsOf(['authentic'], textOf), [7, 2 ** 26 - 1]).size).toBe(0);
});

test('a word of a thousand characters, which folding can make, has all its runs', () => {
  const long = Array.from({ length: 1_000 }, (_, number) =>
    String.fromCharCode(97 + ((number * number) % 23)),
  ).join('');
  const fourGrams = fourGramsOf([long], textIn([long]));
  expect(placesIn(fourGrams, [0]).size).toBe(fourGrams.count);
});
