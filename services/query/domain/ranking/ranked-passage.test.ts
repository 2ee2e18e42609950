import { expect, test } from 'vitest';
import { createViewWords, otherTerm } from '../words/vocabulary.ts';
import { rankedPassage } from './bm25.ts';

const view = {
  frequencyOf: () => 1,
  wordsBeginningWith: () => [],
  wordsEndingWith: () => [],
  statistics: () => ({ passages: 10, items: 10, averageLength: 10, languages: [], vectors: 0 }),
};
const place = { slot: 1, ordinal: 0, rowKey: 'a.md' };

test.each([
  ['ferri winter', 'the ferri leav ferri_2 winter winter'],
  ['', 'ferri ferries winter'],
  ['winter', ''],
  ['', ''],
])('of head "%s" and text "%s" each term asked for has its number at its place', (head, text) => {
  const words = createViewWords(view);
  for (const asked of ['ferri', 'winter', '日本', 'winter_plan']) words.wantedNumberOf(asked);
  const expected = [head, text].flatMap((part) => part.split(' ').filter(Boolean)).map(words.numberOf);
  const ranked = rankedPassage({ ...place, head, text }, words);
  expect([...ranked.terms]).toEqual(expected);
  expect(ranked.headLength).toBe(head.split(' ').filter(Boolean).length);
  expect(expected.every((number) => number === otherTerm)).toBe(head + text === '');
});

test('a term that is asked for later is found from then on', () => {
  const words = createViewWords(view);
  const passage = { ...place, head: 'ferri', text: 'winter 日本' };
  expect([...rankedPassage(passage, words).terms]).toEqual([otherTerm, otherTerm, otherTerm]);
  const number = words.wantedNumberOf('日本');
  expect([...rankedPassage(passage, words).terms]).toEqual([otherTerm, otherTerm, number]);
});
