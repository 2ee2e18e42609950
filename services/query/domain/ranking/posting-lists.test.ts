import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createBlockArena } from '../storage/block-arena.ts';
import { createColumns } from '../storage/columns.ts';
import { createMemoryBudget } from '../storage/memory-budget.ts';
import { createPostingLists, headFrequencyOf, slotOf, textFrequencyOf } from './posting-lists.ts';

function emptyLists(terms = 1) {
  const budget = createMemoryBudget(2 ** 30);
  const arena = createBlockArena(budget);
  const lists = createPostingLists(arena, createColumns(budget));
  lists.reserve(terms);
  return {
    budget,
    size: lists.size,
    remove: (term: number, slot: number) => lists.remove(term, new Set([slot]), 1),
    removeAll: lists.remove,
    add(term: number, slot: number, frequencies: { head: number; text: number }) {
      arena.reserve(arena.roundUp(lists.wordsForOneMore(term)));
      lists.add(term, slot, frequencies.head, frequencies.text);
    },
    postings(term = 0) {
      const found = new Map<number, { head: number; text: number }>();
      lists.forEachRun(term, (words, from, to) => {
        for (const entry of words.subarray(from, to))
          found.set(slotOf(entry), { head: headFrequencyOf(entry), text: textFrequencyOf(entry) });
      });
      return found;
    },
  };
}

test('what was added is there until it is removed, in any number of lists at once', () => {
  const random = seededRandom(5);
  const lists = emptyLists(6);
  const expected = Array.from({ length: 6 }, () => new Map<number, { head: number; text: number }>());
  for (let step = 0; step < 20_000; step += 1) {
    const term = random.integerBelow(6);
    const list = expected[term];
    const slot = random.integerBelow(60 * 4 ** term);
    if (list?.has(slot)) {
      lists.remove(term, slot);
      list.delete(slot);
    } else {
      const frequencies = { head: slot % 3, text: slot % 9 };
      lists.add(term, slot, frequencies);
      list?.set(slot, frequencies);
    }
    if (step % 1_000 === 0)
      for (const [each, has] of expected.entries()) expect(lists.postings(each)).toEqual(has);
  }
  for (const [term, has] of expected.entries()) {
    expect(lists.size(term)).toBe(has.size);
    for (const slot of has.keys()) lists.remove(term, slot);
    expect(lists.postings(term).size).toBe(0);
  }
});

test('passages taken out together leave the list that taking them out one by one leaves, and end the pass', () => {
  const random = seededRandom(8);
  for (let round = 0; round < 500; round += 1) {
    const lists = emptyLists();
    const all = Array.from({ length: 1 + random.integerBelow(150) }, (_, slot) => slot);
    for (const slot of all) lists.add(0, slot, { head: 0, text: 1 });
    const share = random.integerBelow(4);
    const gone = new Set(all.filter(() => random.integerBelow(3) < share));
    const others = [1_000, 1_001];
    lists.removeAll(0, new Set([...gone, ...others]), gone.size);
    const left = all.filter((slot) => !gone.has(slot));
    expect([...lists.postings().keys()].sort((a, b) => a - b)).toEqual(left);
    expect(lists.size(0)).toBe(left.length);
    for (const slot of gone) lists.add(0, slot, { head: 0, text: 1 });
    expect(lists.postings().size).toBe(all.length);
  }
});

test('what was freed is used again: lists that fill and empty take no more memory each time', () => {
  const lists = emptyLists(50);
  const round = () => {
    for (let slot = 0; slot < 300; slot += 1)
      for (let term = 0; term < 50; term += 1) lists.add(term, slot, { head: 0, text: 1 });
    for (let slot = 0; slot < 300; slot += 1)
      for (let term = 0; term < 50; term += 1) lists.remove(term, slot);
    return lists.budget.taken();
  };
  const first = round();
  for (let repeated = 0; repeated < 5; repeated += 1) expect(round()).toBe(first);
});

test('frequencies beyond what fits spill neither into each other nor into the slot', () => {
  const lists = emptyLists();
  lists.add(0, 3, { head: 5_000, text: 0 });
  lists.add(0, 2_097_151, { head: 0, text: 5_000 });
  expect(lists.postings()).toEqual(
    new Map([
      [3, { head: 7, text: 0 }],
      [2_097_151, { head: 0, text: 255 }],
    ]),
  );
});
