import { expect, test } from 'vitest';
import { type Entry, entriesFor } from './entries.ts';

const entry = (title: string, detail = ''): Entry => ({ key: title, icon: 'file', title, detail, path: '/' });

test('every word must fit the title or what stands beside it, and a title that begins so stands first', () => {
  const entries = [
    entry('The otter', 'animals/otter.md'),
    entry('Otter food', 'lists/food.md'),
    entry('Ferry'),
  ];
  const found = (words: string) => entriesFor(entries, words, 2).map(({ title }) => title);
  expect(found('OTTER')).toEqual(['Otter food', 'The otter']);
  expect(found('otter animals')).toEqual(['The otter']);
  expect(found('otter ferry')).toEqual([]);
  expect(found('')).toEqual(['The otter', 'Otter food']);
});
