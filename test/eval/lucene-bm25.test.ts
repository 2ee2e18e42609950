import { expect, test } from 'vitest';
import { luceneBm25 } from './lucene-bm25.ts';

const documents = [
  { id: 'a', title: 'Foxes', text: 'the fox sleeps' },
  { id: 'b', title: '', text: 'A dog and a fox ran' },
  { id: 'c', title: '', text: 'dogs, dogs' },
];

test('ranks by the formula: worked by hand for one term', () => {
  // fox: in a twice of 3 terms (fox, fox, sleep), in b once of 3 (dog, fox, ran): a first. dog: c twice of 2, b once of 3.
  expect(luceneBm25(documents)('foxes', 10)).toEqual(['a', 'b']);
  expect(luceneBm25(documents)("the dog's", 10)).toEqual(['c', 'b']);
});

test('a term asked for twice counts twice, stop words not at all, and nothing gives nothing', () => {
  expect(luceneBm25(documents)('dog fox fox sleep', 1)).toEqual(['a']);
  expect(luceneBm25(documents)('the and a', 10)).toEqual([]);
  expect(luceneBm25([])('fox', 10)).toEqual([]);
});

test('equal documents stay in their order, and the limit holds', () => {
  const equal = ['x', 'y', 'z'].map((id) => ({ id, title: '', text: 'same' }));
  expect(luceneBm25(equal)('same', 2)).toEqual(['x', 'y']);
});
