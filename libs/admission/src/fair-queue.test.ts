import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** A queue with entries whose lane is their first letter. */
function queueOf(...entries: string[]) {
  const queue = createFairQueue<string>();
  for (const entry of entries) queue.add(entry.slice(0, 1), entry);
  return queue;
}

test('lanes take turns, each in its own order, and what does not fit is passed over', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
  const next = (fits: (entry: string) => boolean = () => true) => {
    const entry = queue.find(fits);
    if (entry !== undefined) queue.take(entry.slice(0, 1), entry);
    return entry;
  };
  expect([next(), next((entry) => !entry.startsWith('b')), next(), next()]).toEqual(['a1', 'c1', 'b1', 'a2']);
  expect([queue.of('a'), queue.of('c'), queue.size()]).toEqual([['a3'], [], 2]);
  expect([next(() => false), next(), next(), next()]).toEqual([undefined, 'b2', 'a3', undefined]);
});

test('an entry that leaves delays no other, and clearing returns the entries', () => {
  const queue = queueOf('a1', 'a2', 'b1');
  queue.leave('a', 'a1');
  queue.leave('b', 'b1');
  queue.leave('c', 'never');
  expect([queue.find(() => true), queue.size()]).toEqual(['a2', 1]);
  queue.add('a', 'a3');
  expect(queue.clear()).toEqual(['a2', 'a3']);
  expect([queue.find(() => true), queue.size()]).toEqual([undefined, 0]);
});
