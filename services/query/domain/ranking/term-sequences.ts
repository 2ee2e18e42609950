import type { BlockArena } from '../storage/block-arena.ts';

/** Bits of a term's number that a byte carries; its highest bit says that more follow. */
const bitsPerByte = 7;
const more = 2 ** bitsPerByte;
/** Bytes of the largest number: they stay below 2^26. */
export const maxBytesPerTerm = 4;

/** The words of a block for so many bytes of terms; the first word tells their number. */
export function sequenceWords(bytes: number): number {
  return 1 + Math.ceil(bytes / 4);
}

/** Bytes of a term in a sequence. A number is kept with 1 added, for 0 is any word that the index has not taken up. */
export function sequenceBytes(number: number): number {
  const kept = number + 1;
  return kept < 2 ** 7 ? 1 : kept < 2 ** 14 ? 2 : kept < 2 ** 21 ? 3 : 4;
}

/**
 * Writes the first `count` numbers of terms into a new block, which must have been reserved. The
 * words that a team took up first are mostly its frequent ones, so most take
 * one or two bytes. A number of -1 stands for a word that was not taken up.
 */
export function writeSequence(arena: BlockArena, numbers: Int32Array, count: number): number {
  let total = 0;
  for (let index = 0; index < count; index += 1) total += sequenceBytes(numbers[index] as number);
  const block = arena.allocate(sequenceWords(total));
  const { words, bytes } = arena.chunkOf(block);
  const offset = arena.offsetOf(block);
  words[offset] = total;
  let at = 4 * (offset + 1);
  for (let index = 0; index < count; index += 1) {
    let left = (numbers[index] as number) + 1;
    for (; left >= more; left = left >>> bitsPerByte) {
      bytes[at] = (left & (more - 1)) | more;
      at += 1;
    }
    bytes[at] = left;
    at += 1;
  }
  return block;
}

/** The numbers that a block has; `otherTerm` for words that were not taken up. */
export function readSequence(arena: BlockArena, block: number, count: number): Uint32Array {
  const { bytes } = arena.chunkOf(block);
  const numbers = new Uint32Array(count);
  let at = 4 * (arena.offsetOf(block) + 1);
  for (let index = 0; index < count; index += 1) {
    let kept = 0;
    let shift = 0;
    let byte = bytes[at] as number;
    for (; byte >= more; byte = bytes[at] as number) {
      kept |= (byte & (more - 1)) << shift;
      shift += bitsPerByte;
      at += 1;
    }
    kept |= byte << shift;
    at += 1;
    numbers[index] = kept === 0 ? otherTerm : kept - 1;
  }
  return numbers;
}

export function freeSequence(arena: BlockArena, block: number): void {
  arena.free(block, sequenceWords(arena.chunkOf(block).words[arena.offsetOf(block)] as number));
}

/** The pairs of neighbours among the terms of a question, each with its place among them, from 0. */
export type TermPairs = ReadonlyMap<number, number>;

/** Numbers of terms stay below this one, so that a pair fits a double exactly. */
const pairBase = 2 ** 26;
/** Stands for any term that no question is about. */
export const otherTerm = pairBase - 1;

/** The pairs of neighbours in this sequence of numbers of terms. */
export function pairsOf(numbers: ArrayLike<number>): TermPairs {
  const places = new Map<number, number>();
  for (let index = 1; index < numbers.length; index += 1) {
    const pair = pairAt(numbers, index);
    if (!places.has(pair)) places.set(pair, places.size);
  }
  return places;
}

/** Visits the places of the wanted pairs that a sequence has, with repetitions. */
export function forEachPair(
  wanted: TermPairs,
  numbers: ArrayLike<number>,
  visit: (place: number) => void,
): void {
  for (let index = 1; index < numbers.length; index += 1) {
    const place = wanted.get(pairAt(numbers, index));
    if (place !== undefined) visit(place);
  }
}

/** Share of the wanted pairs that a sequence has, 0 to 1. */
export function pairShare(wanted: TermPairs, numbers: ArrayLike<number>): number {
  const found = new Set<number>();
  forEachPair(wanted, numbers, (place) => found.add(place));
  return wanted.size === 0 ? 0 : found.size / wanted.size;
}

function pairAt(numbers: ArrayLike<number>, index: number): number {
  return (numbers[index - 1] ?? 0) * pairBase + (numbers[index] ?? 0);
}
