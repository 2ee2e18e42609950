import { AppError } from '@teammemory/errors/app-error.ts';
import type { BlockArena } from '../storage/block-arena.ts';
import type { Columns } from '../storage/columns.ts';

/** What the largest number of a vector becomes. */
const largestInteger = 127;

/** A vector as 8-bit integers: each, times the scale, is the number it stands for to within half a scale. */
export interface QuantisedVector {
  numbers: Int8Array;
  /** Above 0. */
  scale: number;
}

/** Rounds a vector, which must not be 0, to 8-bit integers, symmetrically and each vector by its own largest number. */
export function quantise(vector: Float32Array): QuantisedVector {
  let largest = 0;
  for (let index = 0; index < vector.length; index += 1)
    largest = Math.max(largest, Math.abs(vector[index] as number));
  const scale = largest / largestInteger;
  const numbers = new Int8Array(vector.length);
  for (let index = 0; index < vector.length; index += 1)
    numbers[index] = Math.round((vector[index] as number) / scale);
  return { numbers, scale };
}

/**
 * The sum of products of a vector with the one that begins at `offset` of
 * `rows`. Sums of 8,192 products stay below 2^31, so integers are exact; four of
 * them at once, because each addition waits for the one before it.
 */
export function dotProduct(rows: Int8Array, offset: number, vector: Int8Array): number {
  const even = vector.length - (vector.length % 4);
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let index = 0; index < even; index += 4) {
    const at = offset + index;
    first = (first + Math.imul(rows[at] as number, vector[index] as number)) | 0;
    second = (second + Math.imul(rows[at + 1] as number, vector[index + 1] as number)) | 0;
    third = (third + Math.imul(rows[at + 2] as number, vector[index + 2] as number)) | 0;
    fourth = (fourth + Math.imul(rows[at + 3] as number, vector[index + 3] as number)) | 0;
  }
  for (let index = even; index < vector.length; index += 1) {
    first = (first + Math.imul(rows[offset + index] as number, vector[index] as number)) | 0;
  }
  return first + second + third + fourth;
}

/** Numbers compared before other work gets its turn: about 5 ms. */
const numbersPerTurn = 5_000_000;

/** How the vectors of a view lie to one vector; to be used at once. */
export interface Nearest {
  /** The nearest, in no order. */
  slots: readonly number[];
  /**
   * How near a slot is, on the view's own scale: 1 for the nearest of all, 0 for
   * the average one and those farther away. Undefined for a slot without a vector.
   */
  nearness(slot: number): number | undefined;
  /**
   * How far a slot stands out, 0 to 1: 0 for no farther above the average than the best of so many random ones is
   * expected to be, 1 for twice that. The same for any model, whatever its similarities mean. Undefined for a slot without a vector.
   */
  prominence(slot: number): number | undefined;
}

/** The vectors of the passages of one view, by slot. */
export interface VectorIndex {
  /**
   * Sets the vector of a slot, of unit length.
   * @throws AppError `internal` for another dimension than the others have, OutOfMemoryBudget where there is no room.
   */
  set(slot: number, vector: Float32Array): void;
  has(slot: number): boolean;
  remove(slot: number): void;
  /** Forgets all vectors. */
  clear(): void;
  /** Vectors there are. */
  size(): number;
  /** Numbers of each; 0 while there is none. */
  dimension(): number;
  /**
   * Compares all with this vector, exactly: the nearest, at most `limit` and
   * those as near as the last of them. Undefined where that tells nothing: for
   * another dimension, and where all are equally near. In steps of about 5 ms,
   * between which the index must stay as it is.
   */
  nearest(vector: Float32Array, limit: number): Generator<void, Nearest | undefined>;
  state(): VectorIndexState;
  restore(state: VectorIndexState): void;
}

/** The state of an index except its columns and arena. */
export interface VectorIndexState {
  width: number;
  count: number;
}

/**
 * Makes an empty index. Vectors are kept as 8-bit integers with a scale each:
 * a quarter of the memory, and as fast as floats (docs/answer-models.md has the
 * measurement). Every one is compared; nothing approximates.
 */
export function createVectorIndex(arena: BlockArena, columns: Columns): VectorIndex {
  const blocks = columns.add(Uint32Array);
  /** By slot; 0 if it has no vector. */
  const scales = columns.add(Float32Array);
  let width = 0;
  let count = 0;

  function has(slot: number): boolean {
    return (scales.values[slot] ?? 0) > 0;
  }

  function remove(slot: number): void {
    if (!has(slot)) return;
    arena.free(blocks.values[slot] as number, blockWords(width));
    scales.values[slot] = 0;
    count -= 1;
    if (count === 0) width = 0;
  }

  /** Similarity of every slot, times a number that is the same for all; NaN where there is no vector. */
  function* similarities(vector: Float32Array): Generator<void, Float32Array> {
    const wanted = quantise(vector);
    const found = new Float32Array(scales.values.length).fill(Number.NaN);
    if (width !== vector.length) return found;
    const slotsPerTurn = Math.ceil(numbersPerTurn / vector.length);
    for (let start = 0; start < found.length; start += slotsPerTurn) {
      if (start > 0) yield;
      const end = Math.min(start + slotsPerTurn, found.length);
      for (let slot = start; slot < end; slot += 1) {
        const scale = scales.values[slot] as number;
        if (scale === 0) continue;
        const block = blocks.values[slot] as number;
        const { integers } = arena.chunkOf(block);
        found[slot] = scale * dotProduct(integers, 4 * arena.offsetOf(block), wanted.numbers);
      }
    }
    return found;
  }

  return {
    has,
    remove,
    clear() {
      for (let slot = 0; count > 0 && slot < scales.values.length; slot += 1) remove(slot);
    },
    set(slot, vector) {
      if (count === 0) width = vector.length;
      if (vector.length !== width) throw otherDimension(vector.length, width);
      const quantised = quantise(vector);
      if (!has(slot)) {
        blocks.ensure(slot + 1);
        scales.ensure(slot + 1);
        arena.reserve(arena.roundUp(blockWords(width)));
        blocks.values[slot] = arena.allocate(blockWords(width));
        count += 1;
      }
      const block = blocks.values[slot] as number;
      arena.chunkOf(block).integers.set(quantised.numbers, 4 * arena.offsetOf(block));
      scales.values[slot] = quantised.scale;
    },
    size: () => count,
    dimension: () => width,
    *nearest(vector, limit) {
      const found = yield* similarities(vector);
      const known = found.filter((similarity) => !Number.isNaN(similarity)).sort();
      const mean = known.reduce((sum, similarity) => sum + similarity, 0) / known.length;
      const range = (known.at(-1) ?? mean) - mean;
      if (!(range > 0)) return undefined;
      const variance = known.reduce((sum, similarity) => sum + (similarity - mean) ** 2, 0) / known.length;
      // The largest of n values from a normal distribution lies about √(2 ln n) deviations above their mean.
      const byChance = Math.sqrt(2 * Math.log(known.length) * variance);
      return {
        slots: slotsFrom(found, known.at(-limit) ?? Number.NEGATIVE_INFINITY),
        nearness(slot) {
          const similarity = found[slot] ?? Number.NaN;
          return Number.isNaN(similarity) ? undefined : Math.max(0, (similarity - mean) / range);
        },
        prominence(slot) {
          const similarity = found[slot] ?? Number.NaN;
          if (Number.isNaN(similarity)) return undefined;
          return Math.min(1, Math.max(0, (similarity - mean) / byChance - 1));
        },
      };
    },
    state: () => ({ width, count }),
    restore(state) {
      ({ width, count } = state);
    },
  };
}

function blockWords(width: number): number {
  return Math.ceil(width / 4);
}

function slotsFrom(similarities: Float32Array, least: number): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < similarities.length; slot += 1) {
    if ((similarities[slot] ?? Number.NaN) >= least) slots.push(slot);
  }
  return slots;
}

function otherDimension(length: number, width: number): AppError {
  const cause = new Error(`a vector of ${length} numbers among those of ${width}`);
  return new AppError('internal', 'Something went wrong on our side.', { cause });
}
