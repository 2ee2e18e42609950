import { expect, test } from 'vitest';
import {
  addPosting,
  createPostingList,
  frequencyOf,
  type PostingList,
  removePosting,
  slotOf,
} from './posting-list.ts';

function postings({ entries, size }: PostingList): Map<number, number> {
  return new Map([...entries.subarray(0, size)].map((entry) => [slotOf(entry), frequencyOf(entry)]));
}

test('what was added is there until it is removed', () => {
  const list = createPostingList();
  const expected = new Map<number, number>();
  for (const slot of [0, 2_097_151, 7, 5, 6, 1_048_576]) {
    addPosting(list, slot, (slot % 9) + 1);
    expected.set(slot, (slot % 9) + 1);
  }
  expect(postings(list)).toEqual(expected);
  for (const slot of [7, 1_048_576, 0, 4]) {
    removePosting(list, slot);
    expected.delete(slot);
  }
  expect(list.size).toBe(3);
  expect(postings(list)).toEqual(expected);
});

test('a frequency beyond what fits does not spill into the slot', () => {
  const list = createPostingList();
  addPosting(list, 3, 5_000);
  expect(postings(list)).toEqual(new Map([[3, 2_047]]));
});

test('a slot beyond what fits is refused', () => {
  const add = () => addPosting(createPostingList(), 2_097_152, 1);
  expect(add).toThrowError(expect.objectContaining({ code: 'unavailable' }));
});
