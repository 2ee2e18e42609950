import { expect, test } from 'vitest';
import { createFourGrams } from './four-grams.ts';

const passage = ['authentic', 'cat', 'a', 'кошка'];

/** How many of the runs of these words the words of the passage have. */
function shared(words: readonly string[], numbers = [...passage.keys()]): number {
  const { wanted, forEachIn } = createFourGrams(words, (number) => passage[number] ?? '');
  const found = new Set<number>();
  forEachIn(numbers, (run) => found.add(run));
  expect([...found].every((run) => wanted.has(run))).toBe(true);
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
  expect(createFourGrams(['a', ''], () => '').wanted.size).toBe(0);
});

test('only the words asked for are looked into', () => {
  expect(shared(['authentic'], [1, 2])).toBe(0);
});
