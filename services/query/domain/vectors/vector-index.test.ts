import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createBlockArena } from '../storage/block-arena.ts';
import { createColumns } from '../storage/columns.ts';
import { createMemoryBudget, OutOfMemoryBudget } from '../storage/memory-budget.ts';
import { createVectorIndex } from './vector-index.ts';

/** An index of no vectors, whose search is done at once. */
function emptyIndex(maxBytes = 2 ** 30) {
  const budget = createMemoryBudget(maxBytes);
  const index = createVectorIndex(createBlockArena(budget), createColumns(budget));
  return {
    ...index,
    bytes: budget.taken,
    steps: (vector: Float32Array, limit: number) => [...index.nearest(vector, limit)].length,
    nearest(vector: Float32Array, limit: number) {
      const steps = index.nearest(vector, limit);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      return step.value;
    },
  };
}

const random = seededRandom(3);
function unitVector(dimension: number): Float32Array {
  const numbers = Array.from({ length: dimension }, () => random.integerBelow(2_001) - 1_000);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}
const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, number, index) => sum + number * (right[index] ?? 0), 0);

test('finds the nearest of thousands as a comparison of floats does, and how near the others are', () => {
  const index = emptyIndex();
  const vectors = Array.from({ length: 3_000 }, () => unitVector(64));
  for (const [slot, vector] of vectors.entries()) index.set(slot, vector);
  const wanted = unitVector(64);
  const exact = vectors.map((vector, slot) => ({ slot, similarity: cosine(vector, wanted) }));
  exact.sort((left, right) => right.similarity - left.similarity);
  const nearest = index.nearest(wanted, 20);
  const expected = new Set(exact.slice(0, 24).map(({ slot }) => slot));
  expect(nearest?.slots.filter((slot) => expected.has(slot)).length).toBeGreaterThanOrEqual(19);
  expect(nearest?.slots).toHaveLength(20);
  expect(nearest?.nearness(exact[0]?.slot ?? -1)).toBeGreaterThan(0.97);
  expect(nearest?.nearness(exact.at(-1)?.slot ?? -1)).toBe(0);
});

test('a slot that was removed, or never set, is nowhere', () => {
  const index = emptyIndex();
  for (const [slot, vector] of [unitVector(8), unitVector(8), unitVector(8)].entries())
    index.set(slot, vector);
  const wanted = unitVector(8);
  index.remove(1);
  index.remove(1);
  index.remove(7);
  expect(index.size()).toBe(2);
  const nearest = index.nearest(wanted, 10);
  expect(nearest?.slots.toSorted()).toEqual([0, 2]);
  expect(nearest?.nearness(1)).toBeUndefined();
  expect(nearest?.nearness(700)).toBeUndefined();
});

test('a slot that is set again has its new vector alone', () => {
  const index = emptyIndex();
  index.set(0, Float32Array.of(1, 0));
  index.set(1, Float32Array.of(0, 1));
  index.set(0, Float32Array.of(-1, 0));
  expect(index.size()).toBe(2);
  expect(index.nearest(Float32Array.of(1, 0), 1)?.slots).toEqual([1]);
});

test('another dimension is refused in a search without a word, and told where it would be stored', () => {
  const index = emptyIndex();
  index.set(0, unitVector(8));
  index.set(1, unitVector(8));
  expect(index.nearest(unitVector(9), 1)).toBeUndefined();
  expect(() => index.set(2, unitVector(9))).toThrow(expect.objectContaining({ code: 'internal' }));
  index.clear();
  expect(index.dimension()).toBe(0);
  index.set(2, unitVector(9));
  expect(index.dimension()).toBe(9);
});

test('where all lie equally near, vectors tell nothing', () => {
  const index = emptyIndex();
  expect(index.nearest(unitVector(8), 1)).toBeUndefined();
  const same = unitVector(8);
  index.set(0, same);
  expect(index.nearest(unitVector(8), 1)).toBeUndefined();
  index.set(1, same);
  expect(index.nearest(unitVector(8), 1)).toBeUndefined();
});

test('a long comparison is done in steps of some milliseconds', () => {
  const index = emptyIndex();
  const vector = unitVector(8_000);
  for (let slot = 0; slot < 1_000; slot += 1) index.set(slot, vector);
  expect(index.steps(vector, 1)).toBeGreaterThan(0);
});

test('memory is one byte a number and little more, and what was removed is used again', () => {
  const index = emptyIndex();
  const vector = unitVector(384);
  for (let slot = 0; slot < 4_096; slot += 1) index.set(slot, vector);
  const bytes = index.bytes();
  expect(bytes).toBeLessThan(1.4 * 4_096 * 384);
  for (let round = 0; round < 3; round += 1) {
    for (let slot = 0; slot < 4_096; slot += 1) index.remove(slot);
    for (let slot = 0; slot < 4_096; slot += 1) index.set(slot, vector);
  }
  expect(index.bytes()).toBe(bytes);
});

test('a vector that finds no room changes nothing', () => {
  const index = emptyIndex(100_000);
  const vector = unitVector(384);
  let slot = 0;
  const setAll = () => {
    for (; slot < 1_000; slot += 1) index.set(slot, vector);
  };
  expect(setAll).toThrow(OutOfMemoryBudget);
  expect(index.size()).toBe(slot);
  expect(index.has(slot)).toBe(false);
  expect(index.bytes()).toBeLessThanOrEqual(100_000);
});

test('a vector stands out where it is nearer than the nearest of so many random ones, whatever their number', () => {
  for (const count of [30, 3_000]) {
    const index = emptyIndex();
    const wanted = unitVector(64);
    for (let slot = 0; slot < count; slot += 1) index.set(slot, unitVector(64));
    const random = index.nearest(wanted, 1);
    expect(random?.prominence(random.slots[0] ?? -1)).toBeLessThan(0.25);
    index.set(count, wanted);
    expect(index.nearest(wanted, 1)?.prominence(count)).toBeGreaterThan(0.25);
    expect(index.nearest(wanted, 1)?.prominence(count + 1)).toBeUndefined();
  }
});
