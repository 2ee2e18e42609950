import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { noFields } from '../passages/passage.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import type { WantedTerms } from '../ranking/wanted-terms.ts';

function viewOf(texts: readonly string[]) {
  const index = indexInMemory();
  for (const [position, text] of texts.entries()) index.apply(itemPassages(position + 1, text));
  return index.view('team');
}

const termsOf = ({ telling }: WantedTerms) => telling.map(({ text }) => text);

const texts = ['The retention of backups is ninety days.', 'The quota is sixty writes a minute.'];

test('a misspelt word is taken for the nearest that the view uses', () => {
  const { wanted, passages } = viewOf(texts).search('retnetion of bakcups', 10);
  expect(termsOf(wanted)).toEqual(['retent', 'backup']);
  expect(passages.map(({ passage }) => passage.rowKey)).toEqual(['notes/1.md']);
});

test('a word in use is never corrected, however rare', () => {
  const view = viewOf([...texts, ...Array(20).fill('quota'), 'a quoth']);
  expect(termsOf(view.search('quoth', 10).wanted)).toEqual(['quoth']);
});

test('of many unknown words only the first few are looked up', () => {
  const unknown = Array.from({ length: 8 }, (_, index) => `unknown${'x'.repeat(index + 1)}`);
  expect(termsOf(viewOf(texts).search([...unknown, 'bakcups'].join(' '), 10).wanted)).toContain('bakcup');
});

test('a limit below the number reranked gives the best of them', () => {
  const all = viewOf(texts).search('quota days minute', 10).passages;
  expect(all).toHaveLength(2);
  expect(viewOf(texts).search('quota days minute', 1).passages).toEqual(all.slice(0, 1));
});

test.for([['0001-01-01'], ['0000-01-01'], ['2024-02-29'], ['9999-12-31'], ['']])(
  'an item of the day %j is of that day when it is found',
  ([date = '']) => {
    const index = indexInMemory();
    index.apply({ ...itemPassages(1, 'The ferry leaves.'), fields: { ...noFields, date } });
    const [found] = index.view('team').search('ferry', 1).passages;
    expect(found?.passage.fields.date).toBe(date);
  },
);

test('an item whose path has a name stands before one that mentions it in passing', () => {
  const index = indexInMemory();
  index.apply(itemPassages(1, 'Talked with Arnsby about the fee.', { rowKey: 'customers/bellweg/log.md' }));
  index.apply(itemPassages(2, 'They agreed to the fee of last week.', { rowKey: 'customers/arnsby/log.md' }));
  const { passages } = index.view('team').search('arnsby fee', 10);
  expect(passages[0]?.passage.rowKey).toBe('customers/arnsby/log.md');
});

test('of two words as frequent in the view a name weighs more than an everyday word', () => {
  const { passages } = viewOf(['The year was good.', 'The Arnsby was good.']).search('arnsby year', 10);
  expect(passages[0]?.passage.rowKey).toBe('notes/2.md');
});
