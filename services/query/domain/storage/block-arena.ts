import { type MemoryBudget, OutOfMemoryBudget } from './memory-budget.ts';

/** A chunk has at most 2^18 words of 32 bits, 1 MiB. */
const chunkBits = 18;
/** Half a chunk, several times what the longest passage needs; what wants more is refused as if there were no room. */
const maxReservedWords = 2 ** (chunkBits - 1);
const offsetMask = 2 ** chunkBits - 1;
/** A chunk begins with 1 KiB and doubles until it has its full size: most teams have a few notes. */
const firstChunkWords = 256;
/** Blocks up to here are as large as asked for, larger ones up to an eighth larger, so that freed ones fit again. */
const exactWords = 16;
const stepsPerDoubling = 8;
const sizeClasses = exactWords + 1 + stepsPerDoubling * (chunkBits - 4);

/** A chunk of memory, as words, as bytes and as 8-bit integers. */
export interface Chunk {
  words: Uint32Array;
  bytes: Buffer;
  integers: Int8Array;
}

/** The state of an arena except its chunks. */
export interface ArenaState {
  /** Words in use of the last chunk. */
  used: number;
  /** By size class: the first free block, 0 for none. Each tells the next in its first word. */
  free: number[];
  /** Words of all free blocks. */
  freeWords: number;
}

/** Memory in blocks of words, for what has no fixed length. A block is told by a number above 0. */
export interface BlockArena {
  /** The words that a block of so many takes. */
  roundUp(words: number): number;
  /**
   * Makes sure that blocks of so many words together, each rounded up, can be had.
   * @throws OutOfMemoryBudget where there is no room.
   */
  reserve(words: number): void;
  /** Returns a block of at least this many words out of those reserved. Its words have any values. */
  allocate(words: number): number;
  /** Frees a block that was allocated with this number of words. */
  free(block: number, words: number): void;
  chunkOf(block: number): Chunk;
  /** The place of the block's first word among the words of its chunk. */
  offsetOf(block: number): number;
  chunks(): readonly Chunk[];
  state(): ArenaState;
  /** Puts an empty arena into the state of a saved one, with chunks of these sizes to be filled. */
  restore(state: ArenaState, chunkWords: readonly number[]): void;
  /** Frees the memory at once. Nothing may be used any more. */
  release(): void;
}

/** Makes an empty arena. All blocks of one reservation stand in the same chunk or where blocks were freed. */
export function createBlockArena(budget: MemoryBudget): BlockArena {
  const chunks: Chunk[] = [];
  let free = new Array<number>(sizeClasses).fill(0);
  /** Words in use of the last chunk; the first word of the first chunk is never used, for block 0 is none. */
  let used = 1;
  let freeWords = 0;

  function chunkOf(block: number): Chunk {
    return chunks[block >>> chunkBits] as Chunk;
  }

  function addChunk(words: number): void {
    budget.take(4 * words);
    chunks.push(chunkFrom(new ArrayBuffer(4 * words)));
  }

  function growLast(words: number): void {
    const last = chunks.pop();
    if (last === undefined) return;
    try {
      budget.take(4 * words);
    } catch (error) {
      chunks.push(last);
      throw error;
    }
    const { byteLength } = last.words;
    chunks.push(chunkFrom((last.words.buffer as ArrayBuffer).transfer(4 * words)));
    budget.give(byteLength);
  }

  function put(block: number, sizeClass: number): void {
    chunkOf(block).words[block & offsetMask] = free[sizeClass] ?? 0;
    free[sizeClass] = block;
  }

  return {
    roundUp,
    reserve(words) {
      if (words > maxReservedWords) throw new OutOfMemoryBudget(budget);
      const last = chunks.at(-1);
      if (last !== undefined && used + words <= last.words.length) return;
      const size = sizeFor(used + words);
      if (size <= 2 ** chunkBits) {
        if (last === undefined) addChunk(size);
        else growLast(size);
        return;
      }
      addChunk(sizeFor(words));
      used = 0;
    },
    allocate(words) {
      const size = roundUp(words);
      const sizeClass = classOf(size);
      const freed = free[sizeClass] ?? 0;
      if (freed !== 0) {
        free[sizeClass] = chunkOf(freed).words[freed & offsetMask] ?? 0;
        freeWords -= size;
        return freed;
      }
      const block = (((chunks.length - 1) << chunkBits) | used) >>> 0;
      used += size;
      return block;
    },
    free(block, words) {
      const size = roundUp(words);
      // Files are written with their free blocks, which must not keep what was erased.
      const start = block & offsetMask;
      chunkOf(block).words.fill(0, start, start + size);
      put(block, classOf(size));
      freeWords += size;
    },
    chunkOf,
    offsetOf: (block) => block & offsetMask,
    chunks: () => chunks,
    state: () => ({ used, free, freeWords }),
    restore(state, chunkWords) {
      for (const words of chunkWords) addChunk(words);
      ({ used, freeWords } = state);
      free = [...state.free];
    },
    release() {
      for (const { words } of chunks) {
        budget.give(words.byteLength);
        (words.buffer as ArrayBuffer).transfer(0);
      }
      chunks.length = 0;
    },
  };
}

function chunkFrom(buffer: ArrayBuffer): Chunk {
  return { words: new Uint32Array(buffer), bytes: Buffer.from(buffer), integers: new Int8Array(buffer) };
}

/** The size of a chunk that has so many words. */
function sizeFor(words: number): number {
  return Math.max(firstChunkWords, 2 ** Math.ceil(Math.log2(words)));
}

/** The words that a block of so many takes: of each doubling, eight sizes. */
function roundUp(words: number): number {
  if (words <= exactWords) return Math.max(1, words);
  const step = 2 ** (31 - Math.clz32(words - 1)) / stepsPerDoubling;
  return Math.ceil(words / step) * step;
}

/** The number of a size that `roundUp` gives. */
function classOf(size: number): number {
  if (size <= exactWords) return size;
  const doubling = 31 - Math.clz32(size - 1);
  return (
    exactWords +
    (doubling - 4) * stepsPerDoubling +
    size / (2 ** doubling / stepsPerDoubling) -
    stepsPerDoubling
  );
}
