import { mixed, wordHash } from '../text/word-characters.ts';
import type { BlockArena } from './block-arena.ts';
import type { Columns } from './columns.ts';

/** At most two thirds of the hash table's slots are used, so that a search looks at few. */
const maxLoad = 2 / 3;
/** A power of two, like all numbers of places. */
const firstPlaces = 32;
/** Set in a word's length where its characters take two bytes each, for not all are below 256. */
const wide = 0x8000;
/** Longer ones are not taken up; terms have some hundreds of characters at most, and row keys 512. */
export const maxWordLength = 0x7fff;

/** Words of one character or more, each with a number from 0, which stands for it as long as it is there and may be another's afterwards. */
export interface WordTable {
  /** Returns the number of a word, whose `wordHash` may be known; -1 if it is missing. */
  find(word: string, hash?: number): number;
  /** Words of the arena that a new word takes. */
  wordsFor(word: string): number;
  /** Makes sure of places for so many words more; what they take of the arena is the caller's to reserve. */
  reserve(count: number): void;
  /** Adds a missing word, for which room was reserved, and returns its number. */
  add(word: string): number;
  remove(number: number): void;
  textOf(number: number): string;
  /** Characters of a word; 0 for a number that stands for none. */
  lengthOf(number: number): number;
  /** Copies the characters of a word into an array, which must have room for `maxWordLength`; returns how many it has. */
  copyUnits(number: number, into: Uint16Array): number;
  /** The numbers of the words that begin with this character and have so many; undefined where these are more than `limit`. */
  beginningWith(unit: number, lengths: { least: number; most: number }, limit: number): number[] | undefined;
  /** The numbers of the words that begin or end with these characters and have at least so many. */
  beginningOrEndingWith(part: string, least: number): number[];
  /** Numbers are below this. */
  end(): number;
  /** Words that are there. */
  size(): number;
  state(): WordTableState;
  restore(state: WordTableState): void;
}

/** The state of a table except its columns and arena. */
export interface WordTableState {
  end: number;
  size: number;
  firstFree: number;
}

/** Makes an empty table: open addressing with linear probing, so that a word takes 12 bytes beside its characters and the table. */
export function createWordTable(arena: BlockArena, columns: Columns): WordTable {
  /** By number: the block of its characters; for a free number the next free one. */
  const blocks = columns.add(Uint32Array);
  const lengths = columns.add(Uint16Array);
  const firstUnits = columns.add(Uint16Array);
  /** By place: a number and 1, or 0. */
  const places = columns.addUnsaved(Uint32Array);
  let end = 0;
  let size = 0;
  /** A free number and 1, or 0. */
  let firstFree = 0;

  function hashOf(number: number): number {
    const length = lengths.values[number] ?? 0;
    const block = blocks.values[number] ?? 0;
    const { bytes } = arena.chunkOf(block);
    const start = 4 * arena.offsetOf(block);
    const count = length & maxWordLength;
    let hash = 0;
    if (length < wide)
      for (let at = 0; at < count; at += 1) hash = mixed(hash, at, bytes[start + at] as number);
    else
      for (let at = 0; at < count; at += 1)
        hash = mixed(
          hash,
          at,
          (bytes[start + 2 * at] as number) | ((bytes[start + 2 * at + 1] as number) << 8),
        );
    return hash;
  }

  function isWord(number: number, word: string): boolean {
    const length = lengths.values[number] ?? 0;
    if ((length & maxWordLength) !== word.length) return false;
    const block = blocks.values[number] ?? 0;
    const { bytes } = arena.chunkOf(block);
    const start = 4 * arena.offsetOf(block);
    if (length < wide) {
      for (let at = 0; at < word.length; at += 1) if (bytes[start + at] !== word.charCodeAt(at)) return false;
      return true;
    }
    for (let at = 0; at < word.length; at += 1) {
      const unit = (bytes[start + 2 * at] as number) | ((bytes[start + 2 * at + 1] as number) << 8);
      if (unit !== word.charCodeAt(at)) return false;
    }
    return true;
  }

  /** Whether a word has these characters from this place on. */
  function hasAt(number: number, part: string, from: number): boolean {
    const block = blocks.values[number] ?? 0;
    const { bytes } = arena.chunkOf(block);
    const start = 4 * arena.offsetOf(block);
    const takesTwo = (lengths.values[number] as number) >= wide;
    for (let at = part.length - 1; at >= 0; at -= 1) {
      const place = takesTwo ? start + 2 * (from + at) : start + from + at;
      const unit = (bytes[place] as number) | (takesTwo ? (bytes[place + 1] as number) << 8 : 0);
      if (unit !== part.charCodeAt(at)) return false;
    }
    return true;
  }

  /** The place where a hash is looked for first: its highest bits, which are the best. */
  function firstPlace(hash: number): number {
    return hash >>> (Math.clz32(places.values.length) + 1);
  }

  /** Puts a number into the first free place from that of its hash on. */
  function place(number: number): void {
    const mask = places.values.length - 1;
    let at = firstPlace(hashOf(number));
    while (places.values[at] !== 0) at = (at + 1) & mask;
    places.values[at] = number + 1;
  }

  function placeAll(): void {
    places.values.fill(0);
    for (let number = 0; number < end; number += 1) if (lengths.values[number] !== 0) place(number);
  }

  /** Takes a place out, and moves those behind it up that a search would not find beyond the gap. */
  function clear(gap: number): void {
    const { values } = places;
    const mask = values.length - 1;
    let empty = gap;
    for (let at = (gap + 1) & mask; values[at] !== 0; at = (at + 1) & mask) {
      const wanted = firstPlace(hashOf((values[at] as number) - 1));
      if (((at - wanted) & mask) < ((at - empty) & mask)) continue;
      values[empty] = values[at] as number;
      empty = at;
    }
    values[empty] = 0;
  }

  return {
    find(word, hash = wordHash(word)) {
      const { values } = places;
      if (values.length === 0) return -1;
      const mask = values.length - 1;
      for (let at = firstPlace(hash); ; at = (at + 1) & mask) {
        const entry = values[at] as number;
        if (entry === 0) return -1;
        if (isWord(entry - 1, word)) return entry - 1;
      }
    },
    wordsFor: (word) => blockWords(word.length, isWide(word)),
    reserve(count) {
      blocks.ensure(end + count);
      lengths.ensure(end + count);
      firstUnits.ensure(end + count);
      let wanted = Math.max(firstPlaces, places.values.length);
      while (size + count > maxLoad * wanted) wanted *= 2;
      if (wanted === places.values.length) return;
      places.ensure(wanted);
      placeAll();
    },
    add(word) {
      const number = firstFree > 0 ? firstFree - 1 : end;
      if (firstFree > 0) firstFree = blocks.values[number] as number;
      else end += 1;
      const takesTwo = isWide(word);
      const block = arena.allocate(blockWords(word.length, takesTwo));
      arena.chunkOf(block).bytes.write(word, 4 * arena.offsetOf(block), takesTwo ? 'utf16le' : 'latin1');
      blocks.values[number] = block;
      lengths.values[number] = word.length | (takesTwo ? wide : 0);
      firstUnits.values[number] = word.charCodeAt(0);
      size += 1;
      place(number);
      return number;
    },
    remove(number) {
      const mask = places.values.length - 1;
      let at = firstPlace(hashOf(number));
      while (places.values[at] !== number + 1) at = (at + 1) & mask;
      clear(at);
      const length = lengths.values[number] as number;
      arena.free(blocks.values[number] as number, blockWords(length & maxWordLength, length >= wide));
      lengths.values[number] = 0;
      blocks.values[number] = firstFree;
      firstFree = number + 1;
      size -= 1;
    },
    textOf(number) {
      const length = lengths.values[number] ?? 0;
      const block = blocks.values[number] ?? 0;
      const { bytes } = arena.chunkOf(block);
      const start = 4 * arena.offsetOf(block);
      return length < wide
        ? bytes.toString('latin1', start, start + length)
        : bytes.toString('utf16le', start, start + 2 * (length & maxWordLength));
    },
    lengthOf: (number) => (lengths.values[number] ?? 0) & maxWordLength,
    copyUnits(number, into) {
      const length = lengths.values[number] ?? 0;
      const count = length & maxWordLength;
      const block = blocks.values[number] ?? 0;
      const { bytes } = arena.chunkOf(block);
      const start = 4 * arena.offsetOf(block);
      if (length < wide) for (let at = 0; at < count; at += 1) into[at] = bytes[start + at] as number;
      else
        for (let at = 0; at < count; at += 1)
          into[at] = (bytes[start + 2 * at] as number) | ((bytes[start + 2 * at + 1] as number) << 8);
      return count;
    },
    beginningWith(unit, { least, most }, limit) {
      const found: number[] = [];
      const [ofLength, ofFirst] = [lengths.values, firstUnits.values];
      for (let number = 0; number < end; number += 1) {
        if (ofFirst[number] !== unit) continue;
        const length = (ofLength[number] as number) & maxWordLength;
        if (length === 0 || length < least || length > most) continue;
        if (found.length === limit) return undefined;
        found.push(number);
      }
      return found;
    },
    beginningOrEndingWith(part, least) {
      const found: number[] = [];
      const [ofLength, ofFirst] = [lengths.values, firstUnits.values];
      const first = part.charCodeAt(0);
      for (let number = 0; number < end; number += 1) {
        const length = (ofLength[number] as number) & maxWordLength;
        if (length < least) continue;
        if (
          (ofFirst[number] === first && hasAt(number, part, 0)) ||
          hasAt(number, part, length - part.length)
        )
          found.push(number);
      }
      return found;
    },
    end: () => end,
    size: () => size,
    state: () => ({ end, size, firstFree }),
    restore(state) {
      ({ end, size, firstFree } = state);
      if (size === 0) return;
      places.ensure(Math.max(firstPlaces, 2 ** Math.ceil(Math.log2(size / maxLoad))));
      placeAll();
    },
  };
}

function isWide(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) > 0xff) return true;
  return false;
}

function blockWords(length: number, takesTwo: boolean): number {
  return Math.max(1, Math.ceil((takesTwo ? 2 * length : length) / 4));
}
