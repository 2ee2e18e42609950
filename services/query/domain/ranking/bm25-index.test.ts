import { describe, expect, test } from 'vitest';
import { createBlockArena } from '../storage/block-arena.ts';
import { createColumns } from '../storage/columns.ts';
import { createMemoryBudget } from '../storage/memory-budget.ts';
import { analyzedTexts } from './analyzed-passage.ts';
import { createBm25Index } from './bm25-index.ts';
import { byScore } from './scored-passage.ts';

interface Text {
  rowKey: string;
  ordinal: number;
  head: string[];
  body: string[];
}

function passage(rowKey: string, body: string, head = '', ordinal = 0): Text {
  return { rowKey, ordinal, head: words(head), body: words(body) };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** An index with what stands around it in a view: slots, and the numbers of items. */
function indexOf(texts: readonly Text[], maxWords = 1_000_000) {
  const budget = createMemoryBudget(2 ** 30);
  const arena = createBlockArena(budget);
  const index = createBm25Index(arena, createColumns(budget), maxWords);
  const texted: Text[] = [];
  const items: string[] = [];
  const made = {
    ...index,
    add(text: Text): number {
      const slot = texted.push(text) - 1;
      if (!items.includes(text.rowKey)) items.push(text.rowKey);
      const item = items.indexOf(text.rowKey);
      const analyzed = analyzedTexts({ head: [text.head.join(' ')], text: text.body.join(' ') });
      const planned = index.plan(analyzed);
      index.reserve(planned, slot, item);
      arena.reserve(planned.words);
      index.add(slot, item, analyzed);
      return slot;
    },
    remove(...slots: readonly number[]) {
      for (const _ of index.removing(slots));
    },
    search(terms: readonly string[], limit: number) {
      const times = new Map<string, number>();
      for (const text of terms) times.set(text, (times.get(text) ?? 0) + 1);
      const asked = [...times].map(([text, count]) => ({ text, times: count, rarity: 1, alternatives: [] }));
      const steps = index.searching(asked, limit);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      const found = step.value.map(({ slot, score }) => ({ ...(texted[slot] as Text), score }));
      return found.sort(byScore).slice(0, limit);
    },
  };
  for (const text of texts) made.add(text);
  return made;
}

/** BM25 as its formula is written, over passages and, by their text alone, over the items of one passage that they are. */
function scoreByFormula(query: string[], wanted: Text, all: readonly Text[]): number {
  const documents = new Map(
    all.map((each) => [each, [...each.head, ...each.head, ...each.head, ...each.body]]),
  );
  const document = documents.get(wanted) ?? [];
  const average = [...documents.values()].reduce((sum, { length }) => sum + length, 0) / all.length;
  const averageBody = all.reduce((sum, { body }) => sum + body.length, 0) / all.length;
  return [...new Set(query)].reduce((sum, term) => {
    const inQuery = query.filter((each) => each === term).length;
    const containing = [...documents.values()].filter((each) => each.includes(term)).length;
    const frequency = document.filter((each) => each === term).length;
    const idf = Math.log(1 + (all.length - containing + 0.5) / (containing + 0.5));
    const inText = wanted.body.filter((each) => each === term).length;
    const item = saturated(inText, wanted.body.length / averageBody);
    return (
      sum +
      ((9 * inQuery) / (8 + inQuery)) * idf * (saturated(frequency, document.length / average) + 0.3 * item)
    );
  }, 0);
}

function saturated(frequency: number, relativeLength: number): number {
  return (2.2 * frequency) / (frequency + 1.2 * (1 - 0.75 + 0.75 * relativeLength));
}

const library = [
  passage('a', 'red fox red den'),
  passage('b', 'brown fox jumps over the calm dog', 'fox facts'),
  passage('c', 'the dog sleeps'),
  passage('d', 'nothing here', 'red'),
];

describe('the index', () => {
  test('scores exactly as the formula does, a word of the head counting three times, the text of the item 0.3 times', () => {
    const query = ['red', 'fox', 'dog', 'fox', 'fox'];
    const expected = library.map((each) => [each.rowKey, scoreByFormula(query, each, library)] as const);
    const found = indexOf(library).search(query, 10);
    expect(found).toHaveLength(4);
    for (const { rowKey, score } of found) expect(score).toBeCloseTo(new Map(expected).get(rowKey) ?? 0, 12);
    expect(found.map(({ score }) => score)).toEqual(
      found.map(({ score }) => score).toSorted((l, r) => r - l),
    );
  });

  test('of equal passages that one comes first whose item says more about it', () => {
    const index = indexOf([
      passage('a', 'red fox'),
      passage('a', 'grey wolf', '', 1),
      passage('b', 'red fox'),
      passage('b', 'fox den', '', 1),
    ]);
    const keys = () => index.search(['red', 'fox'], 2).map(({ rowKey }) => rowKey);
    expect(keys()).toEqual(['b', 'a']);
    index.remove(3);
    index.remove(1);
    expect(keys()).toEqual(['a', 'b']);
  });

  test('orders equal scores by row key, then ordinal, however they were added', () => {
    const equal = [passage('b', 'x', '', 1), passage('a', 'x'), passage('b', 'x'), passage('a', 'x', '', 1)];
    for (const order of [equal, equal.toReversed()]) {
      const found = indexOf(order).search(['x'], 3);
      expect(found.map(({ rowKey, ordinal }) => `${rowKey}${ordinal}`)).toEqual(['a0', 'a1', 'b0']);
    }
  });

  test('answers the same after passages came and went as if they had never been', () => {
    const index = indexOf([]);
    const visitors = Array.from({ length: 40 }, (_, number) =>
      passage(`v${number}`, `red guest${number} dog`, 'fox'),
    );
    const slots = visitors.map((visitor) => index.add(visitor));
    for (const each of library.slice(0, 2)) index.add(each);
    index.remove(...slots);
    for (const each of library.slice(2)) index.add(each);
    const fresh = indexOf(library);
    expect(index.search(['red', 'dog'], 10)).toEqual(fresh.search(['red', 'dog'], 10));
    expect(index.vocabulary.size()).toBe(fresh.vocabulary.size());
    expect(index.numberOf('guest7')).toBeUndefined();
    expect(index.rarity('guest7')).toBe(fresh.rarity('guest7'));
  });

  test('finds nothing where nothing is, and nothing twice', () => {
    expect(indexOf([]).search(['red'], 10)).toEqual([]);
    const index = indexOf(library);
    expect(index.search(['unseen'], 10)).toEqual([]);
    expect(index.search(['red'], 10)).toHaveLength(2);
    expect(index.search(['red'], 10)).toHaveLength(2);
  });

  test('a full vocabulary takes up no more words: passages are found by those that it has', () => {
    const index = indexOf([passage('a', 'red fox')], 3);
    const planned = index.plan(analyzedTexts({ head: [], text: 'red new newer' }));
    expect(planned).toMatchObject({ newWords: 1, partly: true });
    index.add(passage('b', 'red new newer newest'));
    expect(index.search(['newer'], 10)).toEqual([]);
    expect(index.search(['new'], 10).map(({ rowKey }) => rowKey)).toEqual(['b']);
    expect(index.search(['red'], 10).map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
    expect(index.vocabulary.size()).toBe(3);
    index.remove(1);
    expect(index.vocabulary.size()).toBe(2);
  });

  test('a word is not taken for the one whose number it got after that was gone', () => {
    const index = indexOf([passage('a', 'red fox'), passage('b', 'red hen')]);
    index.remove(0);
    index.add(passage('c', 'red owl'));
    index.add(passage('d', 'red fox owl'));
    expect(index.search(['fox'], 10).map(({ rowKey }) => rowKey)).toEqual(['d']);
    expect(index.search(['owl'], 10).map(({ rowKey }) => rowKey)).toEqual(['c', 'd']);
  });

  test('indexes that take up the same words in turn keep their own numbers of them', () => {
    const [one, other] = [indexOf([passage('a', 'red fox')]), indexOf([passage('a', 'grey fox red')])];
    for (const index of [one, other, one]) index.add(passage('b', 'grey hen fox'));
    expect(one.search(['grey'], 10)).toHaveLength(2);
    expect(one.documentFrequency('fox')).toBe(3);
    expect(other.search(['grey'], 10).map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
  });

  test('takes an unknown word for as rare as the rarest', () => {
    const index = indexOf(library);
    expect(index.rarity('unseen')).toBe(index.rarity('calm'));
    expect(index.rarity('fox')).toBeLessThan(index.rarity('calm'));
    expect(index.documentFrequency('fox')).toBe(2);
  });
});
