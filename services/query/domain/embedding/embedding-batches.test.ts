import { expect, test } from 'vitest';
import { embeddingBatches } from './embedder.ts';

test('no batch has more than 32 texts or 128 KiB, and none is lost or moved', () => {
  const texts = Array.from({ length: 200 }, (_, index) => ({ text: '€'.repeat((index % 7) * 1_000), index }));
  const batches = embeddingBatches(texts);
  expect(batches.flat()).toEqual(texts);
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(32);
    const bytes = batch.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThanOrEqual(128 * 1024);
  }
  expect(batches.length).toBeLessThan(30);
});

test('a text larger than a batch has one of its own', () => {
  const large = { text: 'x'.repeat(200_000) };
  expect(embeddingBatches([{ text: 'a' }, large, { text: 'b' }]).map((batch) => batch.length)).toEqual([
    1, 1, 1,
  ]);
  expect(embeddingBatches([])).toEqual([]);
});
