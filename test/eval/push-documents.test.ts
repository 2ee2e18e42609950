import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { expect, test } from 'vitest';
import { itemsOf, pushItems } from './push-documents.ts';

test('items are named safely whatever the id, and lead back to it', () => {
  const { items, idOf } = itemsOf([
    { id: '../a b\\ü\u0000', title: 'T\ud800', text: 'x\udc00' },
    { id: 'b', title: 'only a title', text: ' \n' },
    { id: 'c', title: '', text: '' },
  ]);
  expect(items.map(({ row_key }) => row_key)).toEqual([
    'evaluation/0-0.md',
    'evaluation/1-0.md',
    'evaluation/2-0.md',
  ]);
  expect(items.map(({ content }) => content)).toEqual(['x\ufffd', 'only a title', '']);
  expect(items[0]?.frontmatter).toEqual({ title: 'T\ufffd' });
  expect(items.map(({ row_key }) => idOf(row_key))).toEqual(['../a b\\ü\u0000', 'b', 'c']);
  expect(idOf('evaluation/3-0.md')).toBeUndefined();
});

test('a text too long for an item becomes several of one document, complete and never cut in a character', () => {
  for (const text of ['ü🙂'.repeat(400_000), `${'line of text\n'.repeat(200_000)}end`]) {
    const { items, idOf } = itemsOf([{ id: 'long', title: 'T', text }]);
    expect(items.length).toBeGreaterThan(2);
    expect(items.map(({ content }) => content).join('')).toBe(text);
    expect(Math.max(...items.map(({ content }) => Buffer.byteLength(content)))).toBeLessThan(2 ** 20);
    expect(new Set(items.map(({ row_key }) => idOf(row_key)))).toEqual(new Set(['long']));
  }
});

test('batches stay below what a push may carry, and a refused item is told', async () => {
  const { items } = itemsOf(
    Array.from({ length: 150 }, (_, index) => ({ id: `${index}`, title: '', text: 'x'.repeat(100_000) })),
  );
  const batches: number[] = [];
  const accepting = {
    pushItems: async (batch: readonly unknown[]) => {
      batches.push(batch.length);
      return { accepted: batch.length, rejected: 0, errors: [] };
    },
  } as unknown as TeamMemoryClient;
  const told: number[] = [];
  await pushItems(accepting, items, (pushed) => told.push(pushed));
  expect(Math.max(...batches)).toBeLessThanOrEqual(20);
  expect(told.at(-1)).toBe(150);
  const refusing = {
    pushItems: async () => ({
      accepted: 0,
      rejected: 1,
      errors: [{ index: 0, row_key: 'r', code: 'c', detail: 'no' }],
    }),
  } as unknown as TeamMemoryClient;
  await expect(pushItems(refusing, items, () => undefined)).rejects.toThrow('r was refused: no');
});
