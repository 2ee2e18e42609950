import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createVectorIndex, type VectorIndex } from './vector-index.ts';

const random = seededRandom(3);
function unitVector(dimension: number): Float32Array {
  const numbers = Array.from({ length: dimension }, () => random.integerBelow(2_001) - 1_000);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}
const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, number, index) => sum + number * (right[index] ?? 0), 0);

test('finds the nearest of thousands as a comparison of floats does, and how near the others are', async () => {
  const index = createVectorIndex();
  const vectors = Array.from({ length: 3_000 }, () => unitVector(64));
  for (const [slot, vector] of vectors.entries()) index.set(slot, vector);
  const wanted = unitVector(64);
  const exact = vectors.map((vector, slot) => ({ slot, similarity: cosine(vector, wanted) }));
  exact.sort((left, right) => right.similarity - left.similarity);
  const nearest = await index.nearest(wanted, 20);
  const expected = new Set(exact.slice(0, 24).map(({ slot }) => slot));
  expect(nearest?.slots.filter((slot) => expected.has(slot)).length).toBeGreaterThanOrEqual(19);
  expect(nearest?.slots).toHaveLength(20);
  expect(nearest?.nearness(exact[0]?.slot ?? -1)).toBeGreaterThan(0.97);
  expect(nearest?.nearness(exact.at(-1)?.slot ?? -1)).toBe(0);
});

test('a slot that was removed, or never set, is nowhere', async () => {
  const index = createVectorIndex();
  for (const [slot, vector] of [unitVector(8), unitVector(8), unitVector(8)].entries())
    index.set(slot, vector);
  const wanted = unitVector(8);
  index.remove(1);
  index.remove(1);
  index.remove(7);
  expect(index.size()).toBe(2);
  const nearest = await index.nearest(wanted, 10);
  expect(nearest?.slots.toSorted()).toEqual([0, 2]);
  expect(nearest?.nearness(1)).toBeUndefined();
  expect(nearest?.nearness(700)).toBeUndefined();
});

test('a slot that is set again has its new vector alone', async () => {
  const index = createVectorIndex();
  index.set(0, Float32Array.of(1, 0));
  index.set(1, Float32Array.of(0, 1));
  index.set(0, Float32Array.of(-1, 0));
  expect(index.size()).toBe(2);
  expect((await index.nearest(Float32Array.of(1, 0), 1))?.slots).toEqual([1]);
});

test('another dimension is refused in a search without a word, and told where it would be stored', async () => {
  const index = createVectorIndex();
  index.set(0, unitVector(8));
  index.set(1, unitVector(8));
  expect(await index.nearest(unitVector(9), 1)).toBeUndefined();
  expect(() => index.set(2, unitVector(9))).toThrow(expect.objectContaining({ code: 'internal' }));
  index.clear();
  expect(index.dimension()).toBe(0);
  index.set(2, unitVector(9));
  expect(index.dimension()).toBe(9);
});

test('where all lie equally near, vectors tell nothing', async () => {
  const index = createVectorIndex();
  expect(await index.nearest(unitVector(8), 1)).toBeUndefined();
  const same = unitVector(8);
  index.set(0, same);
  expect(await index.nearest(unitVector(8), 1)).toBeUndefined();
  index.set(1, same);
  expect(await index.nearest(unitVector(8), 1)).toBeUndefined();
});

/** An index whose comparison takes two turns, all near the vector but slot 3, and what is done between them. */
async function nearestWith(between: (index: VectorIndex, vector: Float32Array) => void) {
  const index = createVectorIndex();
  const vector = unitVector(8_000);
  for (let slot = 0; slot < 1_000; slot += 1) index.set(slot, vector);
  index.set(3, unitVector(8_000));
  let turns = 0;
  const counting = setImmediate(() => {
    turns += 1;
    between(index, vector);
  });
  const nearest = await index.nearest(vector, 1);
  clearImmediate(counting);
  expect(turns).toBe(1);
  return { nearest, index, vector };
}

test('a long comparison lets other work go on, and notices that the vectors were cleared', async () => {
  expect((await nearestWith((index) => index.clear())).nearest).toBeUndefined();
});

test('vectors that replace cleared ones amid a comparison are not taken for them', async () => {
  const { nearest } = await nearestWith((index, vector) => {
    index.clear();
    for (let slot = 0; slot < 1_000; slot += 1) index.set(slot, slot === 999 ? unitVector(8_000) : vector);
  });
  expect(nearest).toBeUndefined();
});

test('whoever gets a slot amid a comparison, or before its result is used, is not as near as who left it', async () => {
  const { nearest, index, vector } = await nearestWith((index, vector) => {
    index.remove(0);
    index.set(0, vector);
    index.remove(999);
    index.set(999, unitVector(8_000));
  });
  expect(nearest?.nearness(0)).toBeUndefined();
  expect(nearest?.nearness(1)).toBe(1);
  expect(nearest?.nearness(999)).toBeLessThan(0.5);
  index.remove(1);
  index.set(1, vector);
  expect(nearest?.nearness(1)).toBeUndefined();
  expect(nearest?.nearness(2)).toBe(1);
});

test('memory is one byte a number and little more', () => {
  const index = createVectorIndex();
  const vector = unitVector(384);
  for (let slot = 0; slot < 4_096; slot += 1) index.set(slot, vector);
  expect(index.bytes()).toBe(4_096 * (384 + 4));
});
