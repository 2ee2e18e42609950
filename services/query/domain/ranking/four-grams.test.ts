import { expect, test } from 'vitest';
import { fourGramsOf } from './wanted-terms.ts';

/** How many of the runs of `words` a passage has. */
function shared(words: readonly string[], passage = ' authentic cat a кошка '): number {
  const fourGrams = fourGramsOf(words);
  const found = new Set<number>();
  fourGrams.forEachIn(passage, (place) => found.add(place));
  expect([...found].every((place) => place < fourGrams.count)).toBe(true);
  return found.size;
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
  expect(fourGramsOf(['a', '']).count).toBe(0);
});

test('runs lie within one word', () => {
  expect(shared(['authentic'], ' au thent ic ')).toBe(2);
  expect(shared(['cat'], '')).toBe(0);
});

test('a word of a thousand characters, which folding can make, has all its runs', () => {
  const long = Array.from({ length: 1_000 }, (_, number) =>
    String.fromCharCode(97 + ((number * number) % 23)),
  ).join('');
  expect(shared([long], ` ${long} `)).toBe(fourGramsOf([long]).count);
});
