import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { relevanceOf } from './relevance.ts';

const notes = [
  'A lost device is locked at once; call Ines, also at night.',
  'Lunch is at noon in the kitchen.',
  'The printer jams when it is humid.',
];

/** What may answer a question, its passages being as near in meaning as told. */
function relevance(question: string, meaning?: number) {
  const index = indexInMemory();
  for (const [position, text] of notes.entries()) index.apply(itemPassages(position + 1, text));
  const view = index.view('team');
  const asked = view.search(question, 1);
  const passages = view.search('device Ines', 1).passages.map((hit) => ({
    ...hit,
    // Numbers of terms are those of one search.
    terms: Uint32Array.from(asked.numbersOf(hit.passage.text)),
    headLength: 0,
    ...(meaning !== undefined && { meaning }),
  }));
  const found = relevanceOf({ ...asked, passages });
  return { passages: found.passages.map(({ passage }) => passage.rowKey), missing: found.missing };
}

test('without evidence nothing is relevant', () => {
  expect(relevance('Who repairs the elevator?').passages).toEqual([]);
});

test('a passage that stands out in meaning is relevant without a word in common', () => {
  expect(relevance('my handset was stolen', 0.4)).toEqual({ passages: ['notes/1.md'], missing: [] });
  expect(relevance('my handset was stolen', 0.1).passages).toEqual([]);
});

test('what is said in other words is not missing, but a name is', () => {
  const missing = (question: string) => relevance(question, 0.4).missing.map(({ word }) => word);
  expect(missing('Who locks a lost handset of ours at night?')).toEqual([]);
  expect(missing('Who locks a lost device of Contoso at night?')).toEqual(['Contoso']);
});
