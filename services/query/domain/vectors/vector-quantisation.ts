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
