import { expect, test } from 'vitest';
import { forEachPair, fourGramsOf, pairShare, pairsOf } from './wanted-terms.ts';

const [how, long, are, backup, kept] = [0, 1, 2, 3, 4];

test('counts the neighbours of the question that are neighbours in the text, in this order', () => {
  const wanted = pairsOf([are, backup, kept]);
  expect(pairShare(wanted, [how, long, are, backup, kept])).toBe(1);
  expect(pairShare(wanted, [backup, are, kept])).toBe(0);
  expect(pairShare(wanted, [are, backup, long])).toBe(0.5);
});

test('a pair counts once, however often question and text have it', () => {
  const wanted = pairsOf([are, backup, are, backup, kept]);
  expect(wanted.size).toBe(3);
  expect(pairShare(wanted, [are, backup, long, are, backup])).toBeCloseTo(1 / 3);
  const visited: number[] = [];
  forEachPair(wanted, [backup, kept, are, backup], (place) => visited.push(place));
  expect(visited).toEqual([2, 0]);
});

test('is 0 for a question of one word, which has no neighbours', () => {
  expect(pairShare(pairsOf([backup]), [backup])).toBe(0);
});

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
