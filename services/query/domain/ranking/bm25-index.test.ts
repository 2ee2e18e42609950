import { describe, expect, test } from 'vitest';
import { type AnalyzedPassage, createBm25Index } from './bm25-index.ts';
import { createSpelling } from './spelling.ts';

function passage(rowKey: string, body: string, head = '', ordinal = 0): AnalyzedPassage {
  return {
    passage: { rowKey, title: head, tier: 'team', ordinal, headings: [], text: body },
    head: words(head),
    body: words(body),
  };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function indexOf(passages: readonly AnalyzedPassage[]) {
  const index = createBm25Index([createSpelling()]);
  for (const added of passages) index.add(added);
  return index;
}

/** BM25 as its formula is written, over passages and, by their text alone, over the items of one passage that they are. */
function scoreByFormula(query: string[], wanted: AnalyzedPassage, all: readonly AnalyzedPassage[]): number {
  const documents = new Map(
    all.map((each) => [each, [...each.head, ...each.head, ...each.head, ...each.body]]),
  );
  const document = documents.get(wanted) ?? [];
  const average = [...documents.values()].reduce((sum, { length }) => sum + length, 0) / all.length;
  const averageBody = all.reduce((sum, { body }) => sum + body.length, 0) / all.length;
  return query.reduce((sum, term) => {
    const containing = [...documents.values()].filter((each) => each.includes(term)).length;
    const frequency = document.filter((each) => each === term).length;
    const idf = Math.log(1 + (all.length - containing + 0.5) / (containing + 0.5));
    const inText = wanted.body.filter((each) => each === term).length;
    const item = saturated(inText, wanted.body.length / averageBody);
    return sum + idf * (saturated(frequency, document.length / average) + 0.3 * item);
  }, 0);
}

function saturated(frequency: number, relativeLength: number): number {
  return (2.2 * frequency) / (frequency + 1.2 * (1 - 0.75 + 0.75 * relativeLength));
}

const library = [
  passage('a', 'red fox red den'),
  passage('b', 'brown fox jumps over the lazy dog', 'fox facts'),
  passage('c', 'the dog sleeps'),
  passage('d', 'nothing here', 'red'),
];

describe('the index', () => {
  test('scores exactly as the formula does, a word of the head counting three times, the text of the item 0.3 times', () => {
    const query = ['red', 'fox', 'dog'];
    const expected = library.map(
      (each) => [each.passage.rowKey, scoreByFormula(query, each, library)] as const,
    );
    const found = indexOf(library).search(query, 10);
    expect(found).toHaveLength(4);
    for (const { passage: each, score } of found)
      expect(score).toBeCloseTo(new Map(expected).get(each.rowKey) ?? 0, 12);
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
    const keys = () => index.search(['red', 'fox'], 2).map(({ passage: { rowKey } }) => rowKey);
    expect(keys()).toEqual(['b', 'a']);
    index.remove(3);
    index.remove(1);
    expect(keys()).toEqual(['a', 'b']);
  });

  test('orders equal scores by row key, then ordinal, however they were added', () => {
    const equal = [passage('b', 'x', '', 1), passage('a', 'x'), passage('b', 'x'), passage('a', 'x', '', 1)];
    for (const order of [equal, equal.toReversed()]) {
      const found = indexOf(order).search(['x'], 3);
      expect(found.map(({ passage: { rowKey, ordinal } }) => `${rowKey}${ordinal}`)).toEqual([
        'a0',
        'a1',
        'b0',
      ]);
    }
  });

  test('answers the same after passages came and went as if they had never been', () => {
    const index = indexOf([]);
    const visitors = Array.from({ length: 40 }, (_, number) =>
      passage(`v${number}`, `red guest${number} dog`, 'fox'),
    );
    const slots = visitors.map((visitor) => index.add(visitor));
    for (const each of library.slice(0, 2)) index.add(each);
    for (const slot of slots) index.remove(slot);
    for (const each of library.slice(2)) index.add(each);
    const fresh = indexOf(library);
    const bare = ({ passage: each, score }: { passage: unknown; score: number }) => ({ each, score });
    expect(index.search(['red', 'dog'], 10).map(bare)).toEqual(fresh.search(['red', 'dog'], 10).map(bare));
    expect(index.vocabularySize()).toBe(fresh.vocabularySize());
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

  test('takes an unknown word for as rare as the rarest', () => {
    const index = indexOf(library);
    expect(index.rarity('unseen')).toBe(index.rarity('lazy'));
    expect(index.rarity('fox')).toBeLessThan(index.rarity('lazy'));
    expect(index.documentFrequency('fox')).toBe(2);
  });
});
