import { getEventListeners } from 'node:events';
import { chancePause, type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { type GivePart, partStream } from './answer-parts.ts';

interface Part {
  number: number;
}

const nobodyLeaves = new AbortController().signal;

/** Passes on three parts, each after the reader has caught up, and then does the remaining work. */
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

/** Reads a stream whose work and reader take turns as chance will have it; checks what holds for every part. */
async function readByChance(random: SeededRandom) {
  const toCome = random.integerBelow(8);
  const [waits, fails] = [random.chance(0.7), random.chance(0.3)];
  const end = random.pick(['reads all', 'aborts', 'returns'] as const);
  const leaveAfter = random.integerBelow(toCome + 2);
  const leaving = new AbortController();
  let [runs, ahead, mostAhead, isWorking] = [0, 0, 0, false];
  const stream = partStream<Part>(async (give, signal) => {
    runs += 1;
    isWorking = true;
    try {
      for (let number = 1; number <= toCome; number += 1) {
        await chancePause(random);
        signal.throwIfAborted();
        ahead += 1;
        mostAhead = Math.max(mostAhead, ahead);
        const behind = give({ number });
        if (waits) await behind;
      }
      if (fails) throw new Error('broken');
    } finally {
      isWorking = false;
    }
  }, leaving.signal);
  const numbers: number[] = [];
  let ended = 'not';
  while (ended === 'not') {
    const next = stream.next();
    const reading = next.then(
      ({ value }) => {
        if (value === undefined) ended = 'done';
        else numbers.push(value.number);
        ahead -= 1;
      },
      (error: Error) => {
        ended = error.message;
      },
    );
    if (end !== 'reads all' && numbers.length === leaveAfter) {
      await chancePause(random);
      if (end === 'aborts') leaving.abort(new Error('gone'));
      else await stream.return();
      if (end === 'returns') expect(isWorking).toBe(false);
    }
    await reading;
    await chancePause(random);
  }
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  if (waits) expect(mostAhead).toBeLessThanOrEqual(2);
  expect([runs, isWorking, getEventListeners(leaving.signal, 'abort')]).toEqual([1, false, []]);
  const isWhole = ended === (fails ? 'broken' : 'done') && numbers.length === toCome;
  return { end, isWhole, ended };
}

test('whatever the turns: parts in order, one end, and all of them for a reader who stays', async () => {
  const random = seededRandom(7);
  for (let round = 0; round < 500; round += 1) {
    const { end, isWhole, ended } = await readByChance(random);
    if (end === 'reads all') expect({ round, ended, isWhole }).toMatchObject({ isWhole: true });
  }
});
