import { expect, test } from 'vitest';
import { noFields } from '../passages/passage.ts';
import { embeddingDigest, embeddingText } from './embedding-store.ts';

const passage = {
  rowKey: 'a.md',
  title: 'Guide',
  tier: 'team',
  kind: 'item',
  fields: noFields,
  ordinal: 0,
  headings: ['Part'],
  text: 'Body.',
} as const;

test('a passage is embedded with its title and its headings, the title once', () => {
  expect(embeddingText(passage)).toBe('Guide\nPart\nBody.');
  expect(embeddingText({ ...passage, headings: ['Guide', 'Part'] })).toBe('Guide\nPart\nBody.');
});

test('titles of any length and broken characters make a text that a server can take', () => {
  const text = embeddingText({ ...passage, title: 'x'.repeat(30_000), text: 'a\ud800b' });
  expect(text.length).toBeLessThan(300);
  expect(text.isWellFormed()).toBe(true);
});

test('a digest tells texts apart and is the same for the same text', () => {
  expect(embeddingDigest('a')).toMatch(/^[\w-]{22}$/);
  expect(embeddingDigest('a')).toBe(embeddingDigest('a'));
  expect(embeddingDigest('a')).not.toBe(embeddingDigest('b'));
});
