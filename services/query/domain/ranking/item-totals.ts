import type { Columns } from '../storage/columns.ts';

/** Totals over the passages of each item, and its score in the running search. Items are numbers. */
export interface ItemTotals {
  /** Makes sure of room for the items below this number. */
  reserve(items: number): void;
  /** Adds a passage whose text has so many terms. */
  add(item: number, textLength: number): void;
  remove(item: number, textLength: number): void;
  /** Counts occurrences of the present term in the text of a passage of the item. */
  count(item: number, frequency: number): void;
  /**
   * Adds to the score of each item counted what `score` gives for its
   * occurrences and its length as a multiple of the average; the next term begins.
   */
  addScores(score: (frequency: number, relativeLength: number) => number): void;
  scoreOf(item: number): number;
  /** The next search begins. */
  clearScores(): void;
  state(): ItemTotalsState;
  restore(state: ItemTotalsState): void;
}

/** The state of these totals except their columns. */
export interface ItemTotalsState {
  items: number;
  totalLength: number;
}

/** Makes totals of no items. */
export function createItemTotals(columns: Columns): ItemTotals {
  const passages = columns.add(Uint32Array);
  const lengths = columns.add(Uint32Array);
  /** Values of the running search, and 0 between searches. */
  const frequencies = columns.addUnsaved(Float64Array);
  const scores = columns.addUnsaved(Float64Array);
  let counted: number[] = [];
  let scored: number[] = [];
  /** Items that have passages. */
  let items = 0;
  let totalLength = 0;

  function reserve(count: number): void {
    for (const column of [passages, lengths, frequencies, scores]) column.ensure(count);
  }

  return {
    reserve,
    add(item, textLength) {
      if (passages.values[item] === 0) items += 1;
      passages.values[item] = (passages.values[item] as number) + 1;
      lengths.values[item] = (lengths.values[item] as number) + textLength;
      totalLength += textLength;
    },
    remove(item, textLength) {
      passages.values[item] = (passages.values[item] as number) - 1;
      lengths.values[item] = (lengths.values[item] as number) - textLength;
      totalLength -= textLength;
      if (passages.values[item] === 0) items -= 1;
    },
    count(item, frequency) {
      if (frequency === 0) return;
      if (frequencies.values[item] === 0) counted.push(item);
      frequencies.values[item] = (frequencies.values[item] as number) + frequency;
    },
    addScores(score) {
      const averageLength = totalLength / items;
      for (const item of counted) {
        if (scores.values[item] === 0) scored.push(item);
        const added = score(
          frequencies.values[item] as number,
          (lengths.values[item] as number) / averageLength,
        );
        scores.values[item] = (scores.values[item] as number) + added;
        frequencies.values[item] = 0;
      }
      counted = [];
    },
    scoreOf: (item) => scores.values[item] as number,
    clearScores() {
      for (const item of scored) scores.values[item] = 0;
      scored = [];
    },
    state: () => ({ items, totalLength }),
    restore(state) {
      ({ items, totalLength } = state);
      reserve(lengths.values.length);
    },
  };
}
