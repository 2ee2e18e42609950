import { getEventListeners } from 'node:events';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { chancePause, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { chanceStream, readNumbers } from './chance-stream.fixture.ts';
import { orAborted, untilAborted } from './until-aborted.ts';

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
    const stream = untilAborted(messages, { signal: leaving.signal, abort });
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
    const stream = untilAborted(silence, leaving);
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
  await expect(orAborted(work.promise, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  work.reject(new Error('late'));
  expect(await orAborted(Promise.resolve('done'), signal)).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
