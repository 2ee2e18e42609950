import { expect, test } from 'vitest';
import { pairShare } from './pair-share.ts';

test('counts the neighbours of the question that are neighbours in the text, in this order', () => {
  expect(pairShare(['how', 'long', 'are', 'backup', 'kept'], ['are', 'backup', 'kept'])).toBe(1);
  expect(pairShare(['backup', 'are', 'kept'], ['are', 'backup', 'kept'])).toBe(0);
  expect(pairShare(['are', 'backup', 'made'], ['are', 'backup', 'kept'])).toBe(0.5);
});

test('is 0 for a question of one word, which has no neighbours', () => {
  expect(pairShare(['backup'], ['backup'])).toBe(0);
});
