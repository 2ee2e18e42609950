import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

test('gives what the work gives, value or error', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('an abort ends the wait at once, with its own reason, and the work goes on', async () => {
  const leaving = new AbortController();
  const work = Promise.withResolvers<number>();
  const waited = untilAborted(work.promise, leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(waited).rejects.toThrow('gone');
  work.resolve(2);
  expect(await work.promise).toBe(2);
});

test('where the signal has aborted already there is no wait', async () => {
  const never = new Promise<number>(() => undefined);
  await expect(untilAborted(never, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
