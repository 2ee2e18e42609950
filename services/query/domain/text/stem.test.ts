import { expect, test } from 'vitest';
import { stem } from './analyzer.ts';

test('English words lose their endings', () => {
  expect(['deployments', 'deploying', 'deployed'].map((word) => stem(word))).toEqual([
    'deploy',
    'deploy',
    'deploy',
  ]);
});

test('what is no English word stays as it is', () => {
  for (const word of ['as', 'utf8', 'straße', 'mañanas', '__proto__', '']) expect(stem(word)).toBe(word);
});

test('words of other languages lose theirs, and keep them where there is no algorithm', () => {
  expect(['rechnung', 'rechnungen'].map((word) => stem(word, 'de'))).toEqual(['rechnung', 'rechnung']);
  expect(['remboursé', 'remboursées'].map((word) => stem(word, 'fr'))).toEqual(['rembours', 'rembours']);
  expect(stem('urlopu', 'pl')).toBe('urlopu');
});
