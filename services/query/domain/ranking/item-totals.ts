/** What the passages of each item have together, and its score in the search under way. */
export interface ItemTotals {
  /** Adds a passage whose text has so many terms; answers the number of its item. */
  add(rowKey: string, textLength: number): number;
  remove(rowKey: string, textLength: number): void;
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
}

/** Grown by doubling: a service may hold thousands of teams of a few notes each. */
const firstCapacity = 16;

interface Item {
  number: number;
  passages: number;
}

/** Makes totals of no items. */
export function itemTotals(): ItemTotals {
  const items = new Map<string, Item>();
  const freeNumbers: number[] = [];
  let count = 0;
  let totalLength = 0;
  /** Each by the number of an item; those of the search under way are 0 between searches. */
  let lengths = new Float64Array(firstCapacity);
  let frequencies = new Float64Array(firstCapacity);
  let scores = new Float64Array(firstCapacity);
  let counted: number[] = [];
  let scored: number[] = [];

  function numberFor(rowKey: string): Item {
    const known = items.get(rowKey);
    if (known) return known;
    const item = { number: freeNumbers.pop() ?? count, passages: 0 };
    count = Math.max(count, item.number + 1);
    items.set(rowKey, item);
    if (item.number >= lengths.length) grow();
    return item;
  }

  function grow(): void {
    const longer = new Float64Array(lengths.length * 2);
    longer.set(lengths);
    lengths = longer;
    frequencies = new Float64Array(lengths.length);
    scores = new Float64Array(lengths.length);
  }

  return {
    add(rowKey, textLength) {
      const item = numberFor(rowKey);
      item.passages += 1;
      lengths[item.number] = (lengths[item.number] ?? 0) + textLength;
      totalLength += textLength;
      return item.number;
    },
    remove(rowKey, textLength) {
      const item = items.get(rowKey);
      if (!item) return;
      item.passages -= 1;
      lengths[item.number] = (lengths[item.number] ?? 0) - textLength;
      totalLength -= textLength;
      if (item.passages > 0) return;
      items.delete(rowKey);
      freeNumbers.push(item.number);
    },
    count(item, frequency) {
      if (frequency === 0) return;
      if (frequencies[item] === 0) counted.push(item);
      frequencies[item] = (frequencies[item] ?? 0) + frequency;
    },
    addScores(score) {
      const averageLength = totalLength / items.size;
      for (const item of counted) {
        if (scores[item] === 0) scored.push(item);
        const added = score(frequencies[item] ?? 0, (lengths[item] ?? 0) / averageLength);
        scores[item] = (scores[item] ?? 0) + added;
        frequencies[item] = 0;
      }
      counted = [];
    },
    scoreOf: (item) => scores[item] ?? 0,
    clearScores() {
      for (const item of scored) scores[item] = 0;
      scored = [];
    },
  };
}
