import { AppError } from '@teammemory/errors/app-error.ts';

/** Bits of an entry for the frequency in the text, in the head, and the other 21 for the slot. */
const textBits = 8;
const headBits = 3;
/** Beyond these BM25 is flat: 255 occurrences score as any larger number would, to two digits. */
const maxTextFrequency = 2 ** textBits - 1;
const maxHeadFrequency = 2 ** headBits - 1;
/** Two million passages are 5 GB of index, far above what one process is given. */
const maxSlot = 2 ** (32 - textBits - headBits) - 1;

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
 * Adds a passage, which must not be in the list yet, with how often its head
 * (title and headings) and its text have the term.
 * @throws AppError `unavailable` for a slot above 2,097,151.
 */
export function addPosting(
  list: PostingList,
  slot: number,
  frequencies: { head: number; text: number },
): void {
  if (slot > maxSlot)
    throw new AppError('unavailable', 'The memory of this team is too large to be searched.');
  if (list.size === list.entries.length) {
    const larger = new Uint32Array(list.size * 2);
    larger.set(list.entries);
    list.entries = larger;
  }
  const head = Math.min(frequencies.head, maxHeadFrequency);
  const text = Math.min(frequencies.text, maxTextFrequency);
  list.entries[list.size] = ((slot << (textBits + headBits)) | (head << textBits) | text) >>> 0;
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
  return entry >>> (textBits + headBits);
}

export function headFrequencyOf(entry: number): number {
  return (entry >>> textBits) & maxHeadFrequency;
}

export function textFrequencyOf(entry: number): number {
  return entry & maxTextFrequency;
}
