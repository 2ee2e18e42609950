import { chancePause, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { chanceStream, readNumbers } from './chance-stream.fixture.ts';
import { untilEnd } from './until-end.ts';

const firstNumbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('whatever the turns: messages in order, and the end is told once and as it was', async () => {
  const random = seededRandom(11);
  for (let round = 0; round < 300; round += 1) {
    const { messages, length, wholeEnd } = chanceStream(random);
    const told: unknown[] = [];
    const stream = untilEnd(messages, (thrown) => void told.push(thrown ?? 'done'));
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
  const stream = untilEnd(messages, (thrown) => void told.push(thrown));
  await stream.return?.();
  expect(told).toMatchObject([{ message: '[canceled] the reader went away' }]);
  expect(await messages.next()).toEqual({ done: true, value: undefined });
});

test('what is thrown in place of an error is what the reader gets', async () => {
  const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('private')) }) };
  await expect(untilEnd(failing, () => new Error('public')).next()).rejects.toThrow('public');
});
