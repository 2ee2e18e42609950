import { AppError } from '@teammemory/errors/app-error.ts';

/** Bits of an entry that hold the frequency; the other 21 hold the slot. */
const frequencyBits = 11;
/** Beyond this BM25 is flat: 2,047 occurrences score as any larger number would, to three digits. */
const maxFrequency = 2 ** frequencyBits - 1;
/** Two million passages are 5 GB of index, far above what one process is given. */
const maxSlot = 2 ** (32 - frequencyBits) - 1;

/** In which passages a term occurs, and how often: one 32-bit number each, in no order. */
export interface PostingList {
  entries: Uint32Array;
  /** Entries in use: the document frequency of the term. */
  size: number;
}

export function createPostingList(): PostingList {
  // Most words of a vocabulary occur once or twice.
  return { entries: new Uint32Array(2), size: 0 };
}

/**
 * Adds a passage, which must not be in the list yet.
 * @throws AppError `unavailable` for a slot above 2,097,151.
 */
export function addPosting(list: PostingList, slot: number, frequency: number): void {
  if (slot > maxSlot)
    throw new AppError('unavailable', 'The memory of this team is too large to be searched.');
  if (list.size === list.entries.length) {
    const larger = new Uint32Array(list.size * 2);
    larger.set(list.entries);
    list.entries = larger;
  }
  list.entries[list.size] = ((slot << frequencyBits) | Math.min(frequency, maxFrequency)) >>> 0;
  list.size += 1;
}

/** Takes a passage out; its place goes to the last entry. */
export function removePosting(list: PostingList, slot: number): void {
  for (let index = 0; index < list.size; index += 1) {
    if (slotOf(list.entries[index] ?? 0) !== slot) continue;
    list.size -= 1;
    list.entries[index] = list.entries[list.size] ?? 0;
    return;
  }
}

export function slotOf(entry: number): number {
  return entry >>> frequencyBits;
}

export function frequencyOf(entry: number): number {
  return entry & maxFrequency;
}
