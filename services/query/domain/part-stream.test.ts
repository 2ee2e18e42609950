import { expect, test } from 'vitest';
import { type GivePart, partStream } from './part-stream.ts';

interface Part {
  number: number;
}

const nobodyLeaves = new AbortController().signal;

/** Gives three parts, the next when the reader has caught up, and then does what is left. */
async function giveThree(give: GivePart<Part>, rest: () => void = () => undefined): Promise<void> {
  for (let number = 1; number <= 3; number += 1) await give({ number });
  rest();
}

async function numbersOf(stream: AsyncIterable<Part>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of stream) numbers.push(number);
  return numbers;
}

test('parts come in order, then the end, and nothing after it', async () => {
  const stream = partStream<Part>((give) => giveThree(give), nobodyLeaves);
  expect(await numbersOf(stream)).toEqual([1, 2, 3]);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('nothing is done before the stream is read', async () => {
  let begun = false;
  const stream = partStream<Part>(async (give) => {
    begun = true;
    give({ number: 1 });
  }, nobodyLeaves);
  expect(begun).toBe(false);
  await stream.next();
  expect(begun).toBe(true);
  const unread = partStream<Part>(() => Promise.reject(new Error('begun')), nobodyLeaves);
  expect(await unread.return()).toEqual(await unread.next());
});

test('the work is one part ahead of its reader, and not more', async () => {
  let given = 0;
  const stream = partStream<Part>(async (give) => {
    for (let number = 1; number <= 9; number += 1) {
      given = number;
      await give({ number });
    }
  }, nobodyLeaves);
  await stream.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(given).toBe(2);
  expect(await numbersOf(stream)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

test('what the work throws comes after what it gave, once', async () => {
  const stream = partStream<Part>(async (give) => {
    void give({ number: 1 });
    void give({ number: 2 });
    throw new Error('broken');
  }, nobodyLeaves);
  expect([await stream.next(), await stream.next()].map(({ value }) => value?.number)).toEqual([1, 2]);
  await expect(stream.next()).rejects.toThrow('broken');
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test.for(['under way', 'over'])('after an abort no part comes any more, the work being %s', async (state) => {
  const leaving = new AbortController();
  const stream = partStream<Part>(async (give, signal) => {
    void give({ number: 1 });
    const ahead = give({ number: 2 });
    if (state === 'over') return;
    await ahead;
    signal.throwIfAborted();
  }, leaving.signal);
  await stream.next();
  await new Promise((resolve) => setImmediate(resolve));
  leaving.abort(new Error('gone'));
  await expect(stream.next()).rejects.toThrow('gone');
});

test('a reader who leaves ends the work and waits for its end', async () => {
  let end = 'none';
  const stream = partStream<Part>(async (give, signal) => {
    await giveThree(give, () => {
      end = signal.aborted ? 'told to' : 'by itself';
    });
  }, nobodyLeaves);
  await stream.next();
  await stream.return();
  expect(end).toBe('told to');
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});
