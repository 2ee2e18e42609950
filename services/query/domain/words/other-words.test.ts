import { expect, test } from 'vitest';
import { otherWords } from './other-words.ts';
import type { OtherWord } from './thesaurus.ts';

const known: Record<string, readonly OtherWord[]> = {
  notebook: [
    { term: 'laptop', trust: 0.8 },
    { term: 'album', trust: 0.2 },
  ],
  'dai off': [{ term: 'vacat', trust: 0.8 }],
  many: Array.from({ length: 20 }, (_, index) => ({ term: `other${index}`, trust: 0.5 })),
};
const thesaurus = (terms: string) => known[terms] ?? [];
const found = (all: string[], isUsed: (term: string) => boolean = () => true) =>
  otherWords(thesaurus, { all, telling: all }, isUsed);

test('what is trusted too little, not used, or asked for itself is no other word', () => {
  expect(found(['notebook']).get('notebook')).toEqual([{ term: 'laptop', trust: 0.8 }]);
  expect(found(['notebook'], () => false).get('notebook')).toEqual([]);
  expect(found(['notebook', 'laptop']).get('notebook')).toEqual([]);
});

test('what stands for words side by side stands for each of them, and for none that are apart', () => {
  const vacation = [{ term: 'vacat', trust: 0.8 }];
  expect(found(['dai', 'off']).get('dai')).toEqual(vacation);
  expect(found(['dai', 'off']).get('off')).toEqual(vacation);
  expect(found(['dai', 'of', 'off']).get('dai')).toEqual([]);
});

test('their number is bounded, for a word and for a question', () => {
  expect(found(['many']).get('many')).toHaveLength(8);
  expect(found(Array.from({ length: 128 }, (_, index) => `word${index}`)).size).toBeLessThanOrEqual(24);
});
