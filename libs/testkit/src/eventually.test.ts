import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';

test('returns what the condition gives as soon as it gives something', async () => {
  let looks = 0;
  const value = await eventually('the third look', () => {
    looks += 1;
    if (looks === 1) throw new Error('not yet');
    return looks === 3 ? 0 : undefined;
  });
  expect({ value, looks }).toEqual({ value: 0, looks: 3 });
});

test('gives up at its limit, saying what it waited for and the last error', async () => {
  const never = eventually('the end of time', () => Promise.reject(new Error('no')), { withinMs: 20 });
  await expect(never).rejects.toMatchObject({
    message: 'not within 20 ms: the end of time',
    cause: { message: 'no' },
  });
});
