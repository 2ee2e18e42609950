import { setImmediate } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { dotProduct, quantise } from './vector-quantisation.ts';

/** Numbers compared before other work of the process gets its turn: about 5 ms. */
const numbersPerTurn = 5_000_000;
/** Grown by doubling; most teams have more passages, and fewer cost nothing. */
const firstCapacity = 256;

/** How the vectors of a view lie to one vector; to be used at once. */
export interface Nearest {
  /** The nearest, in no order. */
  slots: readonly number[];
  /**
   * How near a slot is, on the view's own scale: 1 for the nearest of all, 0 for
   * the average one and those farther away. Undefined for a slot without a vector.
   */
  nearness(slot: number): number | undefined;
}

/** The vectors of the passages of one view, by slot. */
export interface VectorIndex {
  /**
   * Gives a slot its vector, of unit length.
   * @throws AppError `internal` for another dimension than the others have.
   */
  set(slot: number, vector: Float32Array): void;
  remove(slot: number): void;
  /** Forgets all vectors. */
  clear(): void;
  /** Vectors there are. */
  size(): number;
  /** Numbers of each; 0 while there is none. */
  dimension(): number;
  /** Memory in use. */
  bytes(): number;
  /**
   * Compares all with this vector, exactly: the nearest, at most `limit` and
   * those as near as the last of them. Undefined where that tells nothing: for
   * another dimension, and where all are equally near.
   */
  nearest(vector: Float32Array, limit: number): Promise<Nearest | undefined>;
}

/**
 * Makes an empty index. Vectors are kept as 8-bit integers with a scale each:
 * a quarter of the memory, and as fast as floats (docs/answering.md has the
 * measurement). Every one is compared; nothing approximates.
 */
export function createVectorIndex(): VectorIndex {
  let width = 0;
  let count = 0;
  let numbers = new Int8Array(0);
  /** By slot; 0 where there is no vector. */
  let scales = new Float32Array(0);
  /** Similarities that are being found or used: a slot that is removed meanwhile may get another passage. */
  const underWay = new Set<Float32Array>();

  function clear(): void {
    for (const found of underWay) found.fill(Number.NaN);
    underWay.clear();
    width = 0;
    count = 0;
    numbers = new Int8Array(0);
    scales = new Float32Array(0);
  }

  function makeRoomFor(slot: number): void {
    if (slot < scales.length) return;
    const capacity = Math.max(firstCapacity, 2 ** Math.ceil(Math.log2(slot + 1)));
    const [smallNumbers, smallScales] = [numbers, scales];
    numbers = new Int8Array(capacity * width);
    numbers.set(smallNumbers);
    scales = new Float32Array(capacity);
    scales.set(smallScales);
  }

  /** Similarity of every slot, times a number that is the same for all; NaN where there is no vector. */
  async function similarities(vector: Float32Array): Promise<Float32Array> {
    const wanted = quantise(vector);
    const found = new Float32Array(scales.length).fill(Number.NaN);
    if (width !== vector.length) return found;
    underWay.add(found);
    const slotsPerTurn = Math.ceil(numbersPerTurn / vector.length);
    for (let start = 0; start < found.length; start += slotsPerTurn) {
      if (start > 0) await setImmediate();
      // Cleared meanwhile, perhaps for another model.
      if (!underWay.has(found)) return found;
      const end = Math.min(start + slotsPerTurn, found.length);
      for (let slot = start; slot < end; slot += 1) {
        const scale = scales[slot] ?? 0;
        if (scale > 0) found[slot] = scale * dotProduct(numbers, slot * width, wanted.numbers);
      }
    }
    // The promises that hand them on take this turn alone, but other work may come between two of them.
    setImmediate().then(() => underWay.delete(found));
    return found;
  }

  return {
    clear,
    set(slot, vector) {
      if (count === 0) width = vector.length;
      if (vector.length !== width) throw otherDimension(vector.length, width);
      makeRoomFor(slot);
      const quantised = quantise(vector);
      numbers.set(quantised.numbers, slot * width);
      if (scales[slot] === 0) count += 1;
      scales[slot] = quantised.scale;
    },
    remove(slot) {
      if ((scales[slot] ?? 0) === 0) return;
      scales[slot] = 0;
      for (const found of underWay) found[slot] = Number.NaN;
      count -= 1;
      if (count === 0) clear();
    },
    size: () => count,
    dimension: () => width,
    bytes: () => numbers.byteLength + scales.byteLength,
    async nearest(vector, limit) {
      const found = await similarities(vector);
      const known = found.filter((similarity) => !Number.isNaN(similarity)).sort();
      const mean = known.reduce((sum, similarity) => sum + similarity, 0) / known.length;
      const range = (known.at(-1) ?? mean) - mean;
      if (!(range > 0)) return undefined;
      return {
        slots: slotsFrom(found, known.at(-limit) ?? Number.NEGATIVE_INFINITY),
        nearness(slot) {
          const similarity = found[slot] ?? Number.NaN;
          return Number.isNaN(similarity) ? undefined : Math.max(0, (similarity - mean) / range);
        },
      };
    },
  };
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
