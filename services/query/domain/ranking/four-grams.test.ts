import { expect, test } from 'vitest';
import { createFourGramIndex, type FourGrams } from './four-grams.ts';

/** How many of the runs of `words` those of `passage` have. */
function shared(words: readonly string[], passage = ['authentic', 'cat', 'a', 'кошка']): number {
  const index = createFourGramIndex();
  for (const [number, word] of passage.entries()) index.add(word, number);
  return placesIn(index.of(words), [...passage.keys()]).size;
}

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
  expect(createFourGramIndex().of(['a', '']).count).toBe(0);
});

test('only the words asked for are looked into', () => {
  const index = createFourGramIndex();
  for (const [number, word] of ['authentic', 'cat'].entries()) index.add(word, number);
  expect(placesIn(index.of(['authentic']), [1]).size).toBe(0);
  expect(placesIn(index.of(['authentic']), [7]).size).toBe(0);
});

test('after words came and went each in use has its own runs, and no other has any', () => {
  const index = createFourGramIndex();
  const words = Array.from({ length: 600 }, (_, number) => `${'word'.repeat(1 + (number % 7))}${number}`);
  for (let round = 0; round < 3; round += 1) {
    for (const [number, word] of words.entries()) index.add(word, number);
    for (const [number, word] of words.entries()) if (number % 3 !== round) index.remove(word, number);
    for (const [number, word] of words.entries()) {
      const has = placesIn(index.of([word]), [number]).size;
      expect(has).toBe(number % 3 === round ? index.of([word]).count : 0);
    }
    for (const [number, word] of words.entries()) if (number % 3 === round) index.remove(word, number);
  }
});

test('a word of a thousand characters, which folding can make, has all its runs', () => {
  const long = Array.from({ length: 1_000 }, (_, number) =>
    String.fromCharCode(97 + ((number * number) % 23)),
  ).join('');
  const index = createFourGramIndex();
  index.add(long, 0);
  expect(placesIn(index.of([long]), [0]).size).toBe(index.of([long]).count);
});

test('of runs that too many words share those are left out that most have', () => {
  const index = createFourGramIndex();
  for (let number = 0; number < 200_001; number += 1)
    index.add(`same${number.toString(36).padStart(4, '0')}`, number);
  const word = 'samelike';
  const all = createFourGramIndex().of([word]).count;
  expect(index.of([word]).count).toBeGreaterThan(0);
  expect(index.of([word]).count).toBeLessThan(all);
  expect(placesIn(index.of([word]), [0]).size).toBe(0);
});
