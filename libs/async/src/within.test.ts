import { expect, test } from 'vitest';
import { within } from './within.ts';

test('gives what the work gives in time, value or error', async () => {
  expect(await within(Promise.resolve(1), 60_000)).toBe(1);
  await expect(within(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no');
});

test('ends the wait at the limit, and nobody hears of a failure after it', async () => {
  const work = Promise.withResolvers<number>();
  expect(await within(work.promise, 1)).toBeUndefined();
  work.reject(new Error('late'));
});
