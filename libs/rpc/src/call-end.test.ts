import { getEventListeners } from 'node:events';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { chancePause, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { messagesUntilAborted, messagesUntilEnd, untilAborted } from './call-end.ts';
import { chanceStream, readNumbers } from './chance-stream.fixture.ts';

const firstNumbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('whatever the turns: messages in order, the call is ended once, its messages too, and no listener is left', async () => {
  const random = seededRandom(13);
  for (let round = 0; round < 300; round += 1) {
    const { messages, length, wholeEnd, isClosed } = chanceStream(random);
    const leaving = new AbortController();
    let overs = 0;
    const abort = () => {
      overs += 1;
    };
    const stream = messagesUntilAborted(messages, { signal: leaving.signal, abort });
    const end = random.pick(['reads all', 'aborts', 'returns'] as const);
    const leaveAfter = end === 'reads all' ? -1 : random.integerBelow(length + 1);
    const { numbers, ended } = await readNumbers(stream, leaveAfter, async () => {
      await chancePause(random);
      if (end === 'aborts') leaving.abort(new Error('gone'));
      else await stream.return?.();
    });
    expect(numbers).toEqual(firstNumbers(numbers.length));
    const count = numbers.length;
    if (end === 'reads all')
      expect({ round, ended, count }).toEqual({ round, ended: wholeEnd, count: length });
    if (end === 'aborts') expect([wholeEnd, '[canceled] gone']).toContain(ended);
    await eventually('the end of the messages', isClosed);
    expect([overs, getEventListeners(leaving.signal, 'abort')]).toEqual([1, []]);
  }
});

/** Messages that never come, from a source that does not look at any signal. */
const silence = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };

test.each(['before', 'after'])(
  'an abort %s a message was asked for ends the wait for it, and every later one',
  async (when) => {
    const leaving = new AbortController();
    const stream = messagesUntilAborted(silence, leaving);
    if (when === 'before') leaving.abort(new Error('gone'));
    const next = stream.next();
    leaving.abort(new Error('gone'));
    await expect(next).rejects.toThrow('[canceled] gone');
    await expect(stream.next()).rejects.toThrow('[canceled] gone');
  },
);

test('work that fails when nobody waits for it any more disturbs nobody', async () => {
  const { signal } = new AbortController();
  const work = Promise.withResolvers<never>();
  await expect(untilAborted(work.promise, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  work.reject(new Error('late'));
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('whatever the turns: messages in order, and the end is told once and as it was', async () => {
  const random = seededRandom(11);
  for (let round = 0; round < 300; round += 1) {
    const { messages, length, wholeEnd } = chanceStream(random);
    const told: unknown[] = [];
    const stream = messagesUntilEnd(messages, (thrown) => void told.push(thrown ?? 'done'));
    const leaveAfter = random.chance(0.5) ? random.integerBelow(length + 1) : -1;
    const { numbers, ended } = await readNumbers(stream, leaveAfter, async () => {
      await chancePause(random);
      await Promise.all([stream.return?.(), stream.return?.()]);
    });
    expect(numbers).toEqual(firstNumbers(numbers.length));
    if (leaveAfter === -1)
      expect({ round, ended, count: numbers.length }).toEqual({ round, ended: wholeEnd, count: length });
    const left = expect.stringMatching(/^(\[canceled\] the reader went away|broken|done)$/);
    expect(told.map((one) => (one instanceof Error ? one.message : one))).toEqual([
      leaveAfter === -1 ? wholeEnd : left,
    ]);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(told).toHaveLength(1);
  }
});

test('a reader who leaves before the first message ends what was never begun', async () => {
  const told: unknown[] = [];
  const { messages } = chanceStream(seededRandom(1));
  const stream = messagesUntilEnd(messages, (thrown) => void told.push(thrown));
  await stream.return?.();
  expect(told).toMatchObject([{ message: '[canceled] the reader went away' }]);
  expect(await messages.next()).toEqual({ done: true, value: undefined });
});

test('what is thrown in place of an error is what the reader gets', async () => {
  const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('private')) }) };
  await expect(messagesUntilEnd(failing, () => new Error('public')).next()).rejects.toThrow('public');
});
