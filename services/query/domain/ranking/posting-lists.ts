import type { BlockArena } from '../storage/block-arena.ts';
import type { Columns } from '../storage/columns.ts';

/** Bits of an entry for the frequency in the text, in the head, and the other 21 for the slot. */
const textBits = 8;
const headBits = 3;
/** Beyond these BM25 is flat: 255 occurrences score as any larger number would, to two digits. */
const maxTextFrequency = 2 ** textBits - 1;
const maxHeadFrequency = 2 ** headBits - 1;
/** Two million passages are several gigabytes of index, far above what one process is given. */
export const maxSlots = 2 ** (32 - textBits - headBits);

/** Entries of the blocks of a list, from the first: each has one word more, which tells the block before it. */
const entriesOfBlocks = [3, 7, 15, 31];
const entriesOfFurtherBlocks = 63;

/**
 * In which passages terms occur, and how often: one 32-bit number each, in no
 * order. A list of one entry, as most words of a vocabulary have, is that entry
 * itself; others are blocks, of which only the last may have room.
 */
export interface PostingLists {
  /** Entries of a term: its document frequency. */
  size(term: number): number;
  /** Words of the arena that one more entry takes. */
  wordsForOneMore(term: number): number;
  /** Makes sure of lists for the terms below this number. */
  reserve(terms: number): void;
  /** Adds a passage that the list does not have, with how often its head (title and headings) and its text have the term. */
  add(term: number, slot: number, inHead: number, inText: number): void;
  /**
   * Takes those of these passages out that the list has, in one pass; `count` of them, after which it ends. Their
   * places go to the last entries.
   */
  remove(term: number, slots: ReadonlySet<number>, count: number): void;
  /** Visits all entries of a term, in runs from `from` to before `to` of an array of words. */
  forEachRun(term: number, visit: (words: Uint32Array, from: number, to: number) => void): void;
}

/** Makes lists without entries. */
export function createPostingLists(arena: BlockArena, columns: Columns): PostingLists {
  /** By term: its last block, or its only entry. */
  const last = columns.add(Uint32Array);
  const sizes = columns.add(Uint32Array);
  const onlyEntry = new Uint32Array(1);

  function forEachRun(term: number, visit: (words: Uint32Array, from: number, to: number) => void): void {
    const size = sizes.values[term] ?? 0;
    if (size === 1) {
      onlyEntry[0] = last.values[term] as number;
      visit(onlyEntry, 0, 1);
    }
    if (size <= 1) return;
    let { number, filled } = lastBlockOf(size);
    for (let block = last.values[term] as number; number >= 0; number -= 1) {
      const { words } = arena.chunkOf(block);
      const offset = arena.offsetOf(block);
      visit(words, offset + 1, offset + 1 + filled);
      block = words[offset] as number;
      filled = entriesOf(number - 1);
    }
  }

  /** Takes the entry at this place out of a list of at least two: the last one goes there. */
  function removeAt(term: number, place: { words: Uint32Array; at: number }): void {
    const size = sizes.values[term] as number;
    const { number, filled } = lastBlockOf(size);
    const block = last.values[term] as number;
    const { words } = arena.chunkOf(block);
    const offset = arena.offsetOf(block);
    place.words[place.at] = words[offset + filled] as number;
    sizes.values[term] = size - 1;
    if (filled > 1 && size > 2) return;
    last.values[term] = (size === 2 ? words[offset + 1] : words[offset]) as number;
    arena.free(block, 1 + entriesOf(number));
  }

  return {
    size: (term) => sizes.values[term] ?? 0,
    wordsForOneMore(term) {
      const size = sizes.values[term] ?? 0;
      if (size <= 1) return size * (1 + entriesOf(0));
      const { number, filled } = lastBlockOf(size);
      return filled < entriesOf(number) ? 0 : 1 + entriesOf(number + 1);
    },
    reserve(terms) {
      last.ensure(terms);
      sizes.ensure(terms);
    },
    add(term, slot, inHead, inText) {
      const entry =
        ((slot << (textBits + headBits)) |
          (Math.min(inHead, maxHeadFrequency) << textBits) |
          Math.min(inText, maxTextFrequency)) >>>
        0;
      const size = sizes.values[term] as number;
      sizes.values[term] = size + 1;
      if (size === 0) {
        last.values[term] = entry;
        return;
      }
      const { number, filled } = lastBlockOf(size + 1);
      let block = last.values[term] as number;
      const isNew = size === 1 || filled === 1;
      if (isNew) block = arena.allocate(1 + entriesOf(number));
      const { words } = arena.chunkOf(block);
      const offset = arena.offsetOf(block);
      if (size === 1) {
        words[offset] = 0;
        words[offset + 1] = last.values[term] as number;
      } else if (isNew) words[offset] = last.values[term] as number;
      last.values[term] = block;
      words[offset + filled] = entry;
    },
    remove(term, slots, count) {
      let left = count;
      const size = sizes.values[term] as number;
      let { number, filled } = lastBlockOf(size);
      // From the end on: what takes a place has been looked at, and stays.
      for (let block = last.values[term] as number; size > 1 && number >= 0; number -= 1) {
        const { words } = arena.chunkOf(block);
        const offset = arena.offsetOf(block);
        // Read before the block may be freed.
        const before = words[offset] as number;
        for (let at = offset + filled; at > offset; at -= 1) {
          if (left === 0) return;
          if (sizes.values[term] === 1) break;
          if (!slots.has(slotOf(words[at] as number))) continue;
          removeAt(term, { words, at });
          left -= 1;
        }
        block = before;
        filled = entriesOf(number - 1);
      }
      if (left > 0 && sizes.values[term] === 1 && slots.has(slotOf(last.values[term] as number)))
        sizes.values[term] = 0;
    },
    forEachRun,
  };
}

/** The number of the last block of a list of at least two entries, from 0, and how many entries that has. */
function lastBlockOf(size: number): { number: number; filled: number } {
  let filled = size;
  for (let number = 0; number < entriesOfBlocks.length; number += 1) {
    const entries = entriesOf(number);
    if (filled <= entries) return { number, filled };
    filled -= entries;
  }
  const further = Math.floor((filled - 1) / entriesOfFurtherBlocks);
  return { number: entriesOfBlocks.length + further, filled: filled - further * entriesOfFurtherBlocks };
}

function entriesOf(number: number): number {
  return entriesOfBlocks[number] ?? entriesOfFurtherBlocks;
}

export function slotOf(entry: number): number {
  return entry >>> (textBits + headBits);
}

export function headFrequencyOf(entry: number): number {
  return (entry >>> textBits) & maxHeadFrequency;
}

export function textFrequencyOf(entry: number): number {
  return entry & maxTextFrequency;
}
