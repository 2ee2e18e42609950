import { expect, test } from 'vitest';
import { questionTerms } from './question-terms.ts';

test('words that only ask are told from the others, which keep their order, each once', () => {
  const { telling } = questionTerms('What is the retention of backups, and who keeps the backups?');
  expect(telling).toEqual(['retent', 'backup', 'keep']);
});

test('a question of such words only keeps them', () => {
  expect(questionTerms('Who are we?').telling).toEqual(['who', 'ar', 'we']);
});

test('the longest question asks for a bounded number of terms', () => {
  const question = Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(' ');
  expect(questionTerms(question).telling).toHaveLength(128);
});
