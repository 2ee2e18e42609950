import { expect, test } from 'vitest';
import {
  addPosting,
  createPostingList,
  headFrequencyOf,
  type PostingList,
  removePosting,
  slotOf,
  textFrequencyOf,
} from './posting-list.ts';

function postings({ entries, size }: PostingList) {
  const used = [...entries.subarray(0, size)];
  return new Map(
    used.map((entry) => [slotOf(entry), { head: headFrequencyOf(entry), text: textFrequencyOf(entry) }]),
  );
}

test('what was added is there until it is removed', () => {
  const list = createPostingList();
  const expected = new Map<number, { head: number; text: number }>();
  for (const slot of [0, 2_097_151, 7, 5, 6, 1_048_576]) {
    const frequencies = { head: slot % 3, text: slot % 9 };
    addPosting(list, slot, frequencies);
    expected.set(slot, frequencies);
  }
  expect(postings(list)).toEqual(expected);
  for (const slot of [7, 1_048_576, 0, 4]) {
    removePosting(list, slot);
    expected.delete(slot);
  }
  expect(list.size).toBe(3);
  expect(postings(list)).toEqual(expected);
});

test('frequencies beyond what fits spill neither into each other nor into the slot', () => {
  const list = createPostingList();
  addPosting(list, 3, { head: 5_000, text: 0 });
  addPosting(list, 4, { head: 0, text: 5_000 });
  expect(postings(list)).toEqual(
    new Map([
      [3, { head: 7, text: 0 }],
      [4, { head: 0, text: 255 }],
    ]),
  );
});

test('a slot beyond what fits is refused', () => {
  const add = () => addPosting(createPostingList(), 2_097_152, { head: 0, text: 1 });
  expect(add).toThrowError(expect.objectContaining({ code: 'unavailable' }));
});
