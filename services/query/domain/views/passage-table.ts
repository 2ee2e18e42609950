import type { Passage } from '../passages/passage.ts';
import type { BlockArena } from '../storage/block-arena.ts';
import type { Columns } from '../storage/columns.ts';
import { type EncodedText, encodeText, freeText, readText, writeText } from '../storage/text-block.ts';

/** A passage as it will stand in the table. */
export interface EncodedPassage {
  ordinal: number;
  text: EncodedText;
  /** Absent where there are none. */
  headings: EncodedText | undefined;
}

/** The passages of one view, each with a slot, as lists by item. */
export interface PassageTable {
  encode(passage: Passage): EncodedPassage;
  /** Words of the arena that it takes. */
  wordsFor(encoded: EncodedPassage): number;
  /** The slot of the next passage that is added. */
  nextSlot(): number;
  /** Makes sure of room for one more in everything but the arena. Throws OutOfMemoryBudget. */
  reserve(): void;
  /** Adds a passage, for which there must be room, before the one that `following` (a slot and 1, or 0) tells. */
  add(item: number, encoded: EncodedPassage, following: number): number;
  remove(slot: number): void;
  itemOf(slot: number): number;
  ordinalOf(slot: number): number;
  /** The next passage of the item: its slot and 1, or 0. */
  following(slot: number): number;
  read(slot: number): Passage;
  state(): PassageTableState;
  restore(state: PassageTableState): void;
}

/** The state of a table except its columns and arena. */
export interface PassageTableState {
  end: number;
  firstFree: number;
}

/** Makes an empty table. */
export function createPassageTable(arena: BlockArena, columns: Columns): PassageTable {
  const items = columns.add(Uint32Array);
  const ordinals = columns.add(Uint32Array);
  const texts = columns.add(Uint32Array);
  const headings = columns.add(Uint32Array);
  /** The slot that comes next in the item, or among the free ones, and 1; or 0. */
  const next = columns.add(Uint32Array);
  let end = 0;
  let firstFree = 0;

  return {
    encode({ ordinal, headings: above, text }) {
      const encodedHeadings = above.length === 0 ? undefined : encodeText(JSON.stringify(above));
      return { ordinal, text: encodeText(text), headings: encodedHeadings };
    },
    wordsFor({ text, headings: above }) {
      return arena.roundUp(text.words) + (above === undefined ? 0 : arena.roundUp(above.words));
    },
    nextSlot: () => (firstFree > 0 ? firstFree - 1 : end),
    reserve() {
      for (const column of [items, ordinals, texts, headings, next]) column.ensure(end + 1);
    },
    add(item, { ordinal, text, headings: above }, following) {
      const slot = firstFree > 0 ? firstFree - 1 : end;
      if (firstFree > 0) firstFree = next.values[slot] as number;
      else end += 1;
      items.values[slot] = item;
      ordinals.values[slot] = ordinal;
      texts.values[slot] = writeText(arena, text);
      headings.values[slot] = above === undefined ? 0 : writeText(arena, above);
      next.values[slot] = following;
      return slot;
    },
    remove(slot) {
      freeText(arena, texts.values[slot] as number);
      const above = headings.values[slot] as number;
      if (above !== 0) freeText(arena, above);
      next.values[slot] = firstFree;
      firstFree = slot + 1;
    },
    itemOf: (slot) => items.values[slot] as number,
    ordinalOf: (slot) => ordinals.values[slot] as number,
    following: (slot) => next.values[slot] as number,
    read(slot) {
      const above = headings.values[slot] as number;
      return {
        ordinal: ordinals.values[slot] as number,
        headings: above === 0 ? [] : (JSON.parse(readText(arena, above)) as string[]),
        text: readText(arena, texts.values[slot] as number),
      };
    },
    state: () => ({ end, firstFree }),
    restore(state) {
      ({ end, firstFree } = state);
    },
  };
}
