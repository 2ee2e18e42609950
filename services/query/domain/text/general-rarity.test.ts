import { expect, test } from 'vitest';
import { analyze } from './analyzer.ts';
import { generalRarity } from './general-rarity.ts';

const rarity = (word: string) => generalRarity(analyze(word)[0] ?? '');

test('everyday words are less rare than others, the less the more common they are', () => {
  expect(rarity('person')).toBeLessThan(rarity('library'));
  expect(rarity('library')).toBeLessThan(rarity('Kubernetes'));
  expect(rarity('person')).toBeGreaterThan(0);
});

test('all forms of a word are as rare', () => {
  expect(rarity('libraries')).toBe(rarity('library'));
});

test('what is not an everyday word is as rare as can be, whatever the language', () => {
  for (const word of ['Kubernetes', 'maxBodyBytes', 'Bücherei', '図書館', '1973', 'constructor'])
    expect(rarity(word)).toBe(1);
});
