import { expect, test } from 'vitest';
import { createEmbeddingBacklog } from './embedding-backlog.ts';

test('every item comes out once, however often it was added', () => {
  const backlog = createEmbeddingBacklog();
  const rowKeys = Array.from({ length: 50 }, (_, index) => `${index}.md`);
  for (const rowKey of [...rowKeys, ...rowKeys]) backlog.add(rowKey);
  expect(backlog.size()).toBe(50);
  const taken = rowKeys.map(() => backlog.take());
  expect(taken.toSorted()).toEqual(rowKeys.toSorted());
  expect(taken).not.toEqual(rowKeys);
  expect(backlog.take()).toBeUndefined();
});

test('an item that was taken can be added again', () => {
  const backlog = createEmbeddingBacklog();
  backlog.add('a.md');
  expect(backlog.take()).toBe('a.md');
  backlog.add('a.md');
  expect(backlog.size()).toBe(1);
});
