import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createLinkedEntries, type LinkedEntries } from './linked-entries.ts';

function ownersOf(entries: LinkedEntries, key: number): number[] {
  const owners: number[] = [];
  entries.forEachOf(key, (owner) => owners.push(owner));
  return owners.toSorted((left, right) => left - right);
}

test('after owners came and went in any order each key has exactly the owners that have it', () => {
  const random = seededRandom(7);
  const entries = createLinkedEntries();
  const keysOf = new Map<number, number[]>();
  for (let step = 0; step < 4_000; step += 1) {
    const owner = random.integerBelow(900);
    if (keysOf.delete(owner)) entries.remove(owner);
    else {
      const count = random.integerBelow(9);
      const keys = [...new Set(Array.from({ length: count }, () => random.integerBelow(60) - 30))];
      entries.add(owner, keys);
      keysOf.set(owner, keys);
    }
  }
  for (let key = -30; key < 30; key += 1) {
    const owners = [...keysOf].flatMap(([owner, keys]) => (keys.includes(key) ? [owner] : []));
    expect(ownersOf(entries, key)).toEqual(owners.toSorted((left, right) => left - right));
    expect(entries.sizeOf(key)).toBe(owners.length);
  }
});

test('a key that nobody has, or nobody has any more, has no owners', () => {
  const entries = createLinkedEntries();
  entries.add(5, [1, 2]);
  entries.remove(5);
  entries.remove(5);
  entries.remove(77_777);
  expect([ownersOf(entries, 1), entries.sizeOf(1), ownersOf(entries, 3)]).toEqual([[], 0, []]);
});
